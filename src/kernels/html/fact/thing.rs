//! Things that structured data describes, and what of them is a fact of the page.
//!
//! JSON-LD, microdata and RDFa all become the same list of things, parents before children. What
//! stands in a list, or beside the subject (related goods, comments, authors), is no fact.
//!
//! Source: schema.org 29 (types and properties), its documentation of `ItemList` and `Offer`.

use super::super::address::Base;
use super::{Facts, date, folded, number};

/// Things of one page that are kept.
const THINGS_MAX: usize = 10_000;

/// Values of one thing that are kept, and their longest.
const VALUES_MAX: usize = 64;
const VALUE_BYTES: usize = 512;

/// More organisations than this at the top of a page: it is a directory.
const ORGANISATIONS_MAX: usize = 3;

/// What a thing is, as far as it matters here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    #[default]
    Other,
    Organisation,
    Product,
    Site,
    List,
    /// What is about something and has no dates of the page: comments, reviews, people.
    Beside,
}

impl Class {
    /// The class of a type, written as a name or as an address.
    pub(super) fn of(name: &str) -> Self {
        let name = name.trim().trim_end_matches('/');
        let name = name.rsplit(['/', '#', ':']).next().unwrap_or_default();
        match name {
            "Product" | "ProductGroup" | "ProductModel" | "IndividualProduct" | "SomeProducts"
            | "Vehicle" | "Car" | "Motorcycle" => Class::Product,
            "WebSite" => Class::Site,
            "ItemList" | "OfferCatalog" | "DataFeed" | "ProductCollection" | "BreadcrumbList" => {
                Class::List
            }
            "Comment" | "UserComments" | "Person" | "Rating" | "AggregateRating"
            | "ImageObject" | "VideoObject" | "Answer" | "Event" | "Review" | "JobPosting" => {
                Class::Beside
            }
            "Corporation"
            | "NGO"
            | "Airline"
            | "School"
            | "CollegeOrUniversity"
            | "Hospital"
            | "Restaurant"
            | "Hotel"
            | "Consortium"
            | "AutoDealer"
            | "ProfessionalService"
            | "LegalService"
            | "FinancialService"
            | "BankOrCreditUnion"
            | "RealEstateAgent"
            | "Dentist"
            | "TravelAgency"
            | "Library"
            | "Project" => Class::Organisation,
            _ if name.ends_with("Organization")
                || name.ends_with("Store")
                || name.ends_with("Business") =>
            {
                Class::Organisation
            }
            _ => Class::Other,
        }
    }
}

/// A property, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The thing stands by itself.
    Root,
    Id,
    Name,
    LegalName,
    VatId,
    TaxId,
    Lei,
    Url,
    SameAs,
    Sku,
    Gtin,
    Mpn,
    ProductId,
    Brand,
    Offers,
    Price,
    Currency,
    Published,
    Modified,
    /// Who stands behind the page.
    Publisher,
    /// What the page is about.
    Subject,
    /// A member of a list.
    Listed,
    /// Something related, or said about the thing by others.
    Beside,
    Other,
}

impl Key {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "@id" => Key::Id,
            "@graph" => Key::Root,
            "name" => Key::Name,
            "legalName" => Key::LegalName,
            "vatID" => Key::VatId,
            "taxID" => Key::TaxId,
            "leiCode" => Key::Lei,
            "url" => Key::Url,
            "sameAs" => Key::SameAs,
            "sku" => Key::Sku,
            "gtin" | "gtin8" | "gtin12" | "gtin13" | "gtin14" | "ean" | "isbn" => Key::Gtin,
            "mpn" => Key::Mpn,
            "productID" | "productGroupID" => Key::ProductId,
            "brand" => Key::Brand,
            "offers" | "priceSpecification" => Key::Offers,
            "price" | "lowPrice" | "highPrice" => Key::Price,
            "priceCurrency" => Key::Currency,
            "datePublished" => Key::Published,
            "dateModified" => Key::Modified,
            "publisher" | "copyrightHolder" | "sourceOrganization" => Key::Publisher,
            "mainEntity" | "mainEntityOfPage" => Key::Subject,
            "itemListElement" | "item" | "makesOffer" | "hasOfferCatalog" | "dataFeedElement"
            | "containsPlace" | "blogPost" => Key::Listed,
            "isRelatedTo"
            | "isSimilarTo"
            | "isAccessoryOrSparePartFor"
            | "isConsumableFor"
            | "hasVariant"
            | "isVariantOf"
            | "review"
            | "reviews"
            | "comment"
            | "mentions"
            | "citation"
            | "hasPart"
            | "relatedLink"
            | "author"
            | "creator"
            | "image"
            | "video"
            | "itemOffered"
            | "suggestedAnswer"
            | "acceptedAnswer"
            | "subjectOf"
            | "seller"
            | "parentOrganization"
            | "subOrganization"
            | "department"
            | "member"
            | "sponsor" => Key::Beside,
            _ => Key::Other,
        }
    }

    /// Whether the value matters as it is written, without a thing behind it.
    pub(super) fn is_kept(self) -> bool {
        !matches!(
            self,
            Key::Root
                | Key::Offers
                | Key::Publisher
                | Key::Subject
                | Key::Listed
                | Key::Beside
                | Key::Other
        )
    }
}

/// Where a thing stands on its page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Main,
    Listed,
    Beside,
}

struct Thing {
    class: Class,
    via: Key,
    values: Vec<(Key, String)>,
    standing: Standing,
    /// The product whose brand, offer or price this is, or that this is.
    product: Option<usize>,
}

impl Thing {
    fn first(&self, key: Key) -> Option<&str> {
        self.all(key).next()
    }

    fn all(&self, key: Key) -> impl Iterator<Item = &str> {
        let values = self.values.iter().filter(move |(other, _)| *other == key);
        values.map(|(_, value)| value.as_str())
    }
}

/// The things of one kind of markup.
pub(super) struct Things {
    place: &'static str,
    list: Vec<Thing>,
}

impl Things {
    pub(super) fn new(place: &'static str) -> Self {
        Things { place, list: Vec::new() }
    }

    /// Adds a thing that stands in `parent` as its `via`; none when there are too many.
    pub(super) fn add(&mut self, class: Class, parent: Option<usize>, via: Key) -> Option<usize> {
        if self.list.len() >= THINGS_MAX {
            return None;
        }
        let id = self.list.len();
        let above = parent.and_then(|parent| self.list.get(parent));
        let around = above.map_or(Standing::Main, |above| match above.class {
            Class::List => Standing::Listed,
            Class::Beside if via != Key::Subject && above.standing == Standing::Main => {
                if class == Class::Product { Standing::Main } else { Standing::Beside }
            }
            _ => above.standing,
        });
        let standing = match (around, via) {
            (Standing::Main, Key::Listed) => Standing::Listed,
            (Standing::Main, Key::Beside) => Standing::Beside,
            (around, _) => around,
        };
        let is_part = matches!(via, Key::Brand | Key::Offers);
        let product = match class {
            _ if is_part => above.and_then(|above| above.product),
            Class::Product => Some(id),
            _ => None,
        };
        self.list.push(Thing { class, via, values: Vec::new(), standing, product });
        Some(id)
    }

    /// Adds a value to a thing.
    pub(super) fn value(&mut self, id: usize, key: Key, value: &str) {
        if let Some(thing) = self.list.get_mut(id)
            && thing.values.len() < VALUES_MAX
            && value.len() <= VALUE_BYTES
            && key.is_kept()
        {
            let value = folded(value);
            if !value.is_empty() {
                thing.values.push((key, value));
            }
        }
    }

    fn products(&self, standing: Standing) -> impl Iterator<Item = (usize, &Thing)> {
        let things = self.list.iter().enumerate();
        things.filter(move |(_, thing)| {
            thing.class == Class::Product && thing.standing == standing && thing.via != Key::Brand
        })
    }

    /// Distinct products that the page is about, or else those that it lists.
    pub(super) fn products_count(&self) -> usize {
        let count = |standing| {
            let mut names: Vec<(Option<&str>, Option<&str>)> = self
                .products(standing)
                .map(|(_, thing)| (thing.first(Key::Name), thing.first(Key::Sku)))
                .collect();
            names.sort_unstable();
            names.dedup();
            names.len()
        };
        match count(Standing::Main) {
            0 => count(Standing::Listed),
            count => count,
        }
    }

    /// Writes what the things say of the site and of the page's dates.
    pub(super) fn read(&self, base: &Base, facts: &mut Facts) {
        let organisations: Vec<&Thing> =
            self.list.iter().filter(|thing| is_of_site(thing)).collect();
        let mut names: Vec<Option<&str>> =
            organisations.iter().map(|thing| thing.first(Key::Name)).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() <= ORGANISATIONS_MAX {
            for thing in organisations {
                self.organisation(thing, base, facts);
            }
        }
        for thing in self.list.iter().filter(|thing| thing.standing == Standing::Main) {
            if thing.class == Class::Site {
                self.push_all(thing, Key::Name, "site_name", facts);
            }
            let is_page = matches!(thing.via, Key::Root | Key::Subject);
            if is_page && thing.class != Class::Beside {
                self.dates(thing, facts);
            }
        }
    }

    /// Writes what is said of the one product.
    pub(super) fn read_product(&self, facts: &mut Facts) {
        let mut mains = self.products(Standing::Main).peekable();
        if mains.peek().is_none() {
            return;
        }
        let mains: Vec<usize> = mains.map(|(id, _)| id).collect();
        for (id, thing) in self.list.iter().enumerate() {
            if thing.product.is_none_or(|product| mains.binary_search(&product).is_err()) {
                continue;
            }
            if thing.product == Some(id) {
                self.product(thing, facts);
            } else if thing.via == Key::Brand {
                self.push_all(thing, Key::Name, "product.brand", facts);
            }
            for written in thing.all(Key::Price) {
                let price = number::price(written, true);
                facts.push_some("product.price", price, self.place);
            }
            for currency in thing.all(Key::Currency) {
                facts.push_some("product.currency", currency_code(currency), self.place);
            }
        }
    }

    fn product(&self, thing: &Thing, facts: &mut Facts) {
        let kinds = [
            (Key::Name, "product.name"),
            (Key::Sku, "product.sku"),
            (Key::Mpn, "product.mpn"),
            (Key::Brand, "product.brand"),
        ];
        for (key, kind) in kinds {
            self.push_all(thing, key, kind, facts);
        }
        for written in thing.all(Key::Gtin) {
            facts.push_some("product.gtin", number::gtin(written), self.place);
        }
        for written in thing.all(Key::ProductId) {
            let (scheme, rest) = written.split_once(':').unwrap_or(("", written));
            match scheme.to_ascii_lowercase().as_str() {
                "isbn" | "ean" | "upc" | "gtin" | "gtin13" | "gtin12" | "gtin14" | "gtin8" => {
                    facts.push_some("product.gtin", number::gtin(rest), self.place);
                }
                "mpn" => facts.push("product.mpn", rest, self.place),
                "sku" => facts.push("product.sku", rest, self.place),
                _ => facts.push("product.product_id", written, self.place),
            }
        }
    }

    fn organisation(&self, thing: &Thing, base: &Base, facts: &mut Facts) {
        self.push_all(thing, Key::Name, "organization.name", facts);
        self.push_all(thing, Key::LegalName, "organization.legal_name", facts);
        let codes = [(Key::VatId, "organization.vat_id"), (Key::TaxId, "organization.tax_id")];
        for (key, kind) in codes {
            for written in thing.all(key) {
                facts.push(kind, &code(written), self.place);
            }
        }
        for lei in thing.all(Key::Lei).map(code).filter(|lei| number::is_lei(lei)) {
            facts.push("organization.lei_code", &lei, self.place);
        }
        for id in thing.all(Key::Id).filter(|id| id.starts_with("http")) {
            facts.push("organization.id", id, self.place);
        }
        for (key, kind) in [(Key::Url, "organization.url"), (Key::SameAs, "organization.same_as")] {
            for written in thing.all(key) {
                facts.push_some(kind, base.web(written), self.place);
            }
        }
    }

    fn dates(&self, thing: &Thing, facts: &mut Facts) {
        for (key, kind) in [(Key::Published, "published"), (Key::Modified, "modified")] {
            for written in thing.all(key) {
                facts.push_some(kind, date::normalised(written), self.place);
            }
        }
    }

    fn push_all(&self, thing: &Thing, key: Key, kind: &'static str, facts: &mut Facts) {
        for value in thing.all(key) {
            facts.push(kind, value, self.place);
        }
    }

    /// Addresses of profiles that the site's organisation names.
    pub(super) fn same_as(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter(|thing| is_of_site(thing)).flat_map(|thing| thing.all(Key::SameAs))
    }

    /// Whether a thing is a list, so that what stands in it is listed.
    pub(super) fn is_list(&self, id: usize) -> bool {
        self.list.get(id).is_some_and(|thing| thing.class == Class::List)
    }

    pub(super) fn place(&self) -> &'static str {
        self.place
    }
}

fn is_of_site(thing: &Thing) -> bool {
    let is_named = matches!(thing.via, Key::Root | Key::Publisher | Key::Subject);
    thing.class == Class::Organisation && thing.standing == Standing::Main && is_named
}

/// Letters and digits of a number, upper-case.
pub(super) fn code(written: &str) -> String {
    let kept = written.chars().filter(|sign| sign.is_alphanumeric());
    kept.flat_map(char::to_uppercase).collect()
}

/// A currency of ISO 4217, by its form.
pub(super) fn currency_code(written: &str) -> Option<String> {
    let written = written.trim();
    let is_code = written.len() == 3 && written.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| written.to_ascii_uppercase())
}
