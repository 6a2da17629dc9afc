//! Facts of `meta` elements: verification tokens, apps, Open Graph, dates.
//!
//! Source: the documentation of each search engine and network; ogp.me; Dublin Core in HTML.

use dom_query::Element;

use super::super::address::Base;
use super::number::is_placeholder;
use super::thing::currency_code;
use super::walk::attribute;
use super::{Facts, date, number};

/// What `meta` elements say of a product, kept until it is known to be one.
#[derive(Default)]
pub(super) struct Metas {
    products: Vec<(&'static str, String)>,
    /// The page says that it is about a product.
    pub(super) is_product: bool,
}

/// Tokens of one page that are kept for a product.
const PRODUCTS_MAX: usize = 64;

impl Metas {
    /// Reads one `meta` element.
    pub(super) fn read(&mut self, element: &Element, base: &Base, facts: &mut Facts) {
        let Some(content) = attribute(element, "content").map(str::trim) else { return };
        if content.is_empty() || content.len() > 2_048 {
            return;
        }
        let names = element.attrs.iter().filter(|attribute| {
            matches!(&*attribute.name.local, "name" | "property" | "http-equiv")
        });
        for attribute in names {
            let name = attribute.value.trim();
            if name.len() <= 40 {
                self.named(&name.to_ascii_lowercase(), content, base, facts);
            }
        }
    }

    fn named(&mut self, name: &str, content: &str, base: &Base, facts: &mut Facts) {
        if let Some(kind) = verification(name) {
            push_token(kind, content, facts);
            return;
        }
        match name {
            "fb:app_id" => push_numbers("id.facebook_app", content, 5, facts),
            "fb:pages" => push_numbers("id.facebook_pages", content, 5, facts),
            "apple-itunes-app" => apple(content, facts),
            "al:ios:app_store_id" => push_numbers("id.apple_app", content, 6, facts),
            "al:android:package" => android(content, facts),
            "google-play-app" => {
                android(content.strip_prefix("app-id=").unwrap_or_default(), facts);
            }
            "google-adsense-account" => {
                let id = content.strip_prefix("ca-").unwrap_or(content);
                super::ids::read(id, "meta", facts);
            }
            "og:site_name" => facts.push("site_name", content, "meta"),
            "og:url" => facts.push_some("og.url", base.web(content), "meta"),
            "og:type" => {
                let kind = content.to_ascii_lowercase();
                self.is_product |= matches!(
                    kind.as_str(),
                    "product" | "og:product" | "product.item" | "product:product"
                );
                facts.push("og.type", &kind, "meta");
            }
            "twitter:site" => account(content, facts),
            "article:published_time"
            | "date"
            | "dc.date"
            | "dc.date.issued"
            | "dcterms.created"
            | "dcterms.issued"
            | "dcterms.date" => {
                facts.push_some("published", date::normalised(content), "meta");
            }
            "article:modified_time" | "last-modified" | "dcterms.modified" | "dc.date.modified" => {
                facts.push_some("modified", date::normalised(content), "meta");
            }
            _ => self.product(name, content),
        }
    }

    fn product(&mut self, name: &str, content: &str) {
        let Some((kind, value)) = product(name, content) else { return };
        if let Some(value) = value
            && self.products.len() < PRODUCTS_MAX
        {
            self.products.push((kind, value));
        }
    }

    /// Writes what is said of the product that the page is about.
    pub(super) fn read_product(&self, facts: &mut Facts) {
        for (kind, value) in self.products.iter().filter(|_| self.is_product) {
            facts.push(kind, value, "meta");
        }
    }
}

fn product(name: &str, content: &str) -> Option<(&'static str, Option<String>)> {
    let found = match name {
        "product:price:amount" | "og:price:amount" | "product:sale_price:amount" => {
            ("product.price", number::price(content, true))
        }
        "product:price:currency" | "og:price:currency" | "product:sale_price:currency" => {
            ("product.currency", currency_code(content))
        }
        "product:brand" | "og:brand" => ("product.brand", Some(content.to_owned())),
        "product:retailer_item_id" => ("product.sku", Some(content.to_owned())),
        "product:mfr_part_no" => ("product.mpn", Some(content.to_owned())),
        "product:ean" | "product:upc" | "product:isbn" | "product:gtin" | "og:upc" => {
            ("product.gtin", number::gtin(content))
        }
        _ => return None,
    };
    Some(found)
}

fn verification(name: &str) -> Option<&'static str> {
    Some(match name {
        "google-site-verification" => "id.google_verification",
        "yandex-verification" => "id.yandex_verification",
        "msvalidate.01" => "id.bing_verification",
        "p:domain_verify" => "id.pinterest_verification",
        "facebook-domain-verification" => "id.facebook_verification",
        _ => return None,
    })
}

/// A token of letters, digits and few signs; a template's gap is none.
fn push_token(kind: &'static str, content: &str, facts: &mut Facts) {
    let content = content.strip_prefix("google-site-verification=").unwrap_or(content);
    let content = content.trim_matches('"');
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=');
    let is_token = (10..=100).contains(&content.len()) && content.bytes().all(is_part);
    if is_token && !is_placeholder(content) {
        facts.push(kind, content, "meta");
    }
}

fn push_numbers(kind: &'static str, content: &str, least: usize, facts: &mut Facts) {
    /// The app that a plugin of many sites names for want of one of their own.
    const DEFAULT_APP: &str = "966242223397117";
    for number in content.split([',', ' ', ';']).map(str::trim).take(64) {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let is_long = (least..=20).contains(&number.len());
        if is_number && is_long && !is_placeholder(number) && number != DEFAULT_APP {
            facts.push(kind, number, "meta");
        }
    }
}

fn apple(content: &str, facts: &mut Facts) {
    let parts = content.split([',', ';', ' ']).map(str::trim);
    for id in parts.filter_map(|part| part.strip_prefix("app-id=")) {
        push_numbers("id.apple_app", id, 6, facts);
    }
}

fn android(content: &str, facts: &mut Facts) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    let is_package = content.contains('.') && content.bytes().all(is_part);
    if is_package && !content.starts_with("com.example") {
        facts.push("id.android_app", content, "meta");
    }
}

fn account(content: &str, facts: &mut Facts) {
    let name = content.rsplit('/').next().unwrap_or_default().trim_start_matches('@');
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if (1..=15).contains(&name.len()) && name.bytes().all(is_part) {
        facts.push("twitter.site", &format!("@{}", name.to_ascii_lowercase()), "meta");
    }
}
