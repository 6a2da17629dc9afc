//! Facts of a page: what it declares of its site, its product, its dates and its makers.
//!
//! A fact is a kind, a value in one spelling, and the place it was read from. Identifiers of
//! analytics and advertising count where a browser would run or follow them: in scripts, in the
//! addresses of scripts and frames, in `meta`; never in `pre`, `code`, `textarea`, comments or the
//! text of the page, where a tutorial shows them. Legal numbers count in the foot of a site, in
//! what is named an imprint, and in structured data. What a placeholder would hold is dropped.
//!
//! Structured data is read by what it is about: the site's organisation, one product. A page with
//! several products is a listing: it says how many, and none of their identifiers is a fact.
//!
//! Not for judging: a value may be wrong, copied or shared by strangers.
//!
//! Source: schema.org, WHATWG HTML (microdata), RDFa 1.1 Lite, the Open Graph protocol, the
//! published forms of each identifier as its module says.
//! Cost: one walk without recursion, linear in the bytes; the count of facts is bounded.

mod date;
mod ids;
mod json_ld;
mod label;
mod legal;
mod link;
mod metas;
mod microdata;
mod number;
mod social;
mod thing;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use dom_query::Document;

use super::address::Base;

/// Facts of one kind that are kept, in the order of the page.
const FACTS_PER_KIND: usize = 64;

/// The longest value, in bytes; a longer one is none.
const VALUE_BYTES: usize = 512;

/// Something that a page says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// The value, in the one spelling of its kind.
    pub value: String,
    /// Where it was read: one of [`PLACES`].
    pub place: &'static str,
}

/// Every place of a fact, and its meaning.
pub const PLACES: &[(&str, &str)] = &[
    ("anchor", "a link of the body"),
    ("footer", "the foot of the site, or what is named an imprint"),
    ("iframe", "the address of a frame"),
    ("json_ld", "structured data in a script"),
    ("link", "a link element"),
    ("meta", "a meta element"),
    ("microdata", "structured data in item attributes"),
    ("rdfa", "structured data in property attributes"),
    ("script", "a script that a browser runs, or a picture or element in its stead"),
    ("script_src", "the address of a script"),
    ("text", "visible text after a label"),
    ("time", "a time element"),
];

/// Every kind of fact, and its meaning.
pub const KINDS: &[(&str, &str)] = &[
    ("alternate_media", "the version for small screens: absolute URL without fragment"),
    ("amp", "the AMP version: absolute URL without fragment"),
    ("copyright", "the holder named after the copyright sign"),
    ("email", "address of a mail link, lower-case"),
    ("id.adsense", "Google AdSense publisher: `pub-` and 16 digits"),
    ("id.amazon_tag", "Amazon Associates tag"),
    ("id.android_app", "package of the Android app"),
    ("id.apple_app", "number of the app in Apple's store"),
    ("id.bing_verification", "token of Bing Webmaster Tools"),
    ("id.chartbeat", "Chartbeat account number"),
    ("id.clarity", "Microsoft Clarity project"),
    ("id.comscore", "comScore client number (`c2`)"),
    ("id.facebook_app", "Facebook app number"),
    ("id.facebook_pages", "Facebook page number"),
    ("id.facebook_pixel", "Facebook pixel number"),
    ("id.facebook_verification", "token of Facebook domain verification"),
    ("id.ga4", "Google Analytics 4 measurement: `G-` and letters and digits"),
    ("id.ga_ua", "Google Universal Analytics account: `UA-` and digits, without the property"),
    ("id.google_ads", "Google Ads conversion: `AW-` and digits"),
    ("id.google_verification", "token of Google Search Console"),
    ("id.gtm", "Google Tag Manager container: `GTM-` and letters and digits"),
    ("id.hotjar", "Hotjar site number"),
    ("id.linkedin", "LinkedIn partner number"),
    ("id.matomo", "Matomo server and site: `host/path#number`"),
    ("id.pinterest_verification", "token of Pinterest"),
    ("id.quantcast", "Quantcast account: `p-` and a token"),
    ("id.tiktok", "TikTok pixel"),
    ("id.vk_pixel", "VK retargeting pixel"),
    ("id.yandex_metrika", "Yandex Metrika counter number"),
    ("id.yandex_rtb", "Yandex advertising block: `R-A-` and two numbers"),
    ("id.yandex_verification", "token of Yandex Webmaster"),
    ("json_ld_error", "how many JSON-LD scripts are no JSON"),
    ("legal.abn", "Australian business number: 11 digits, checked"),
    ("legal.cnpj", "Brazilian company number: 14 digits, checked"),
    ("legal.company_number", "number of a company register, as written"),
    ("legal.ein", "US employer number: `NN-NNNNNNN`"),
    ("legal.icp", "Chinese ICP filing, without the number of the site"),
    ("legal.inn", "Russian taxpayer number: 10 or 12 digits, checked"),
    ("legal.krs", "Polish court register: 10 digits"),
    ("legal.lei", "legal entity identifier: 20 signs, checked"),
    ("legal.nip", "Polish tax number: 10 digits, checked"),
    ("legal.ogrn", "Russian company register: 13 or 15 digits, checked"),
    ("legal.siren", "French company number: 9 digits, checked"),
    ("legal.siret", "French establishment number: 14 digits, checked"),
    ("legal.uscc", "Chinese social credit code: 18 signs, checked"),
    ("legal.vat", "VAT number with its country, checked where the country has a check"),
    ("modified", "when the page was last changed: `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`"),
    ("next", "the next page of a series: absolute URL without fragment"),
    ("og.type", "Open Graph type, lower-case"),
    ("og.url", "Open Graph address: absolute URL without fragment"),
    ("organization.id", "`@id` of the site's organisation, an absolute URL"),
    ("organization.legal_name", "registered name of the site's organisation"),
    ("organization.lei_code", "LEI of the site's organisation, checked"),
    ("organization.name", "name of the site's organisation"),
    ("organization.same_as", "another address of the organisation: absolute URL"),
    ("organization.tax_id", "tax number of the organisation: letters and digits"),
    ("organization.url", "address of the organisation: absolute URL"),
    ("organization.vat_id", "VAT number of the organisation: letters and digits"),
    ("phone", "number of a telephone link: digits, with `+` where the country is known"),
    ("prev", "the page before in a series: absolute URL without fragment"),
    ("print", "the version for print: absolute URL without fragment"),
    ("product.brand", "brand of the one product"),
    ("product.count", "how many products the page lists, where it is about several"),
    ("product.currency", "currency of the price: three letters"),
    ("product.gtin", "GTIN, EAN, UPC or ISBN of the one product: digits; ISBN-10 may end in X"),
    ("product.labelled_id", "identifier in visible text after a label, upper-case"),
    ("product.mpn", "number its maker gives the product"),
    ("product.name", "name of the one product"),
    ("product.price", "price of an offer: a decimal number with at least two decimals"),
    ("product.product_id", "identifier of the product of no other class"),
    ("product.sku", "number the seller gives the product"),
    ("published", "when the page was published: `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`"),
    ("site_name", "name of the site"),
    ("social", "profile in a social network: `host/handle`, lower-case"),
    ("twitter.site", "account of the site: `@` and name, lower-case"),
];

/// The facts of a page: sorted, distinct, at most [`FACTS_PER_KIND`] a kind.
///
/// The tree must be of bounded depth already; the walk needs memory for each open element.
pub(super) fn facts(document: &Document, base: &Base) -> Vec<Fact> {
    walk::walk(document, base)
}

/// Facts as they are found.
#[derive(Default)]
struct Facts {
    found: BTreeSet<Fact>,
    counts: BTreeMap<&'static str, usize>,
}

impl Facts {
    /// Keeps a fact, its white space folded; nothing of an empty or overlong value.
    fn push(&mut self, kind: &'static str, value: &str, place: &'static str) {
        if value.is_empty() || value.len() > VALUE_BYTES {
            return;
        }
        let value = folded(value);
        let fact = Fact { kind, value, place };
        if fact.value.is_empty() || self.found.contains(&fact) {
            return;
        }
        let count = self.counts.entry(kind).or_default();
        if *count < FACTS_PER_KIND {
            *count += 1;
            self.found.insert(fact);
        }
    }

    fn push_some(&mut self, kind: &'static str, value: Option<String>, place: &'static str) {
        if let Some(value) = value {
            self.push(kind, &value, place);
        }
    }

    fn finish(self) -> Vec<Fact> {
        self.found.into_iter().collect()
    }
}

/// `text` with white space folded to one space, and none at its ends.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

#[cfg(test)]
mod tests;
