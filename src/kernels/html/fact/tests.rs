use super::*;

const URL: &str = "https://shop.example/dir/page?id=4";

fn all(html: &str) -> Vec<Fact> {
    facts(&Document::from(html), &Base::new(URL, None))
}

/// The facts as lines of kind, value and place.
fn lines(html: &str) -> Vec<String> {
    let facts = all(html).into_iter();
    facts.map(|fact| format!("{} {} {}", fact.kind, fact.value, fact.place)).collect()
}

fn json_ld(json: &str) -> Vec<String> {
    lines(&format!("<script type='application/ld+json'>{json}</script>"))
}

const NONE: [&str; 0] = [];

#[test]
fn links_lead_to_neighbours_and_versions() {
    let found = lines(
        "<link rel=next href='?id=5#top'><link rel=prev href='?id=3'>
         <link rel=amphtml href=/amp/4><link rel=alternate media=print href=/p/4>
         <link rel=alternate media='only screen and (max-width: 640px)' href=//m.shop.example/4>
         <link rel=stylesheet media=print href=/print.css>
         <body><a rel=next href=/dir/2>2</a><a href=/dir/4/print>Print</a>
         <a href=https://elsewhere.example/x/print>Print</a>",
    );
    let expected = [
        "alternate_media https://m.shop.example/4 link",
        "amp https://shop.example/amp/4 link",
        "next https://shop.example/dir/2 anchor",
        "next https://shop.example/dir/page?id=5 link",
        "prev https://shop.example/dir/page?id=3 link",
        "print https://shop.example/dir/4/print link",
        "print https://shop.example/p/4 link",
    ];
    assert_eq!(found, expected);
}

#[test]
fn print_links_of_a_list_are_none() {
    let links: String = (0..5).map(|n| format!("<a href=/story/{n}/print>P</a>")).collect();
    assert_eq!(lines(&links), NONE);
}

#[test]
fn json_ld_says_who_and_what() {
    let found = json_ld(
        r#"<!-- {"@context": "https://schema.org", "@graph": [
            {"@type": ["Organization", "Brand"], "@id": "https://shop.example/#org",
             "name": "Acme", "legalName": "Acme GmbH", "vatID": "DE 136 695 976",
             "leiCode": "5493001KJTIIGC8Y1R12", "url": "/",
             "sameAs": ["https://www.facebook.com/AcmeShop/"]},
            {"@type": "WebSite", "name": "Acme Shop",
             "publisher": {"@id": "https://shop.example/#org"}},
            {"@type": "http://schema.org/Product", "name": "Blue   Widget", "sku": "W-1",
             "gtin13": "4006381333931", "mpn": 77, "productID": "isbn:9783161484100",
             "brand": {"@type": "Brand", "name": "Widgetco"},
             "isRelatedTo": [{"@type": "Product", "name": "Other", "sku": "W-2"}],
             "review": {"@type": "Review", "author": {"@type": "Organization", "name": "Press"},
                        "datePublished": "2020-01-01"},
             "offers": {"@type": "AggregateOffer", "lowPrice": 1299, "highPrice": "1,399.50",
                        "priceCurrency": "eur",
                        "seller": {"@type": "Organization", "name": "Seller"}}},
            {"@type": "WebPage", "datePublished": "2024-03-05T00:20+01:00",
             "dateModified": "2024-04-01"}
        ]} -->"#,
    );
    let expected = [
        "modified 2024-04-01 json_ld",
        "organization.id https://shop.example/#org json_ld",
        "organization.legal_name Acme GmbH json_ld",
        "organization.lei_code 5493001KJTIIGC8Y1R12 json_ld",
        "organization.name Acme json_ld",
        "organization.same_as https://www.facebook.com/AcmeShop/ json_ld",
        "organization.url https://shop.example/ json_ld",
        "organization.vat_id DE136695976 json_ld",
        "product.brand Widgetco json_ld",
        "product.currency EUR json_ld",
        "product.gtin 4006381333931 json_ld",
        "product.gtin 9783161484100 json_ld",
        "product.mpn 77 json_ld",
        "product.name Blue Widget json_ld",
        "product.price 1299.00 json_ld",
        "product.price 1399.50 json_ld",
        "product.sku W-1 json_ld",
        "published 2024-03-04T23:20:00Z json_ld",
        "site_name Acme Shop json_ld",
        "social facebook.com/acmeshop json_ld",
    ];
    assert_eq!(found, expected);
}

#[test]
fn several_products_are_a_count_and_no_identifiers() {
    let product = |n: usize| format!(r#"{{"@type": "Product", "name": "P{n}", "sku": "S-{n}"}}"#);
    let products: Vec<String> = (0..20).map(product).collect();
    let products = products.join(",");
    assert_eq!(json_ld(&format!("[{products}]")), ["product.count 20 json_ld"]);
    let list = format!(r#"{{"@type": "ItemList", "itemListElement": [{products}]}}"#);
    assert_eq!(json_ld(&list), ["product.count 20 json_ld"]);
    let microdata = "<div itemscope itemtype=https://schema.org/Product>
        <b itemprop=name>N{}</b><i itemprop=sku>S{}</i></div>";
    let page: String = (0..3).map(|n| microdata.replace("{}", &n.to_string())).collect();
    assert_eq!(lines(&page), ["product.count 3 microdata"]);
    let label = format!("<p>SKU: A-77</p>{page}");
    assert_eq!(lines(&label), ["product.count 3 microdata"]);
}

#[test]
fn one_product_written_twice_is_one() {
    let json = r#"{"@type": "Product", "name": "P", "sku": "S-1"}"#;
    let found = json_ld(&format!("[{json}, {json}]"));
    assert_eq!(found, ["product.name P json_ld", "product.sku S-1 json_ld"]);
}

#[test]
fn microdata_and_rdfa_nest_by_scope() {
    let found = lines(
        "<div itemscope itemtype='http://schema.org/Product'>
         <h1 itemprop=name>Blue <b>Widget</b></h1>
         <span itemprop=brand itemscope itemtype='http://schema.org/Brand'>
         <i itemprop=name>Co</i></span>
         <meta itemprop=gtin13 content=4006381333931>
         <div itemprop=offers itemscope itemtype='http://schema.org/Offer'>
         <span itemprop=price content=1299.00>1.299,00 €</span>
         <meta itemprop=priceCurrency content=EUR>
         </div><div itemprop=offers itemscope><b itemprop=price>1.399 €</b></div>
         <div itemprop=isSimilarTo itemscope itemtype='http://schema.org/Product'>
         <i itemprop=sku>S-2</i></div></div>
         <div vocab='https://schema.org/' typeof='Organization'><b property=name>Acme</b>
         <a property=url href=/home>x</a></div>",
    );
    let expected = [
        "organization.name Acme rdfa",
        "organization.url https://shop.example/home rdfa",
        "product.brand Co microdata",
        "product.currency EUR microdata",
        "product.gtin 4006381333931 microdata",
        "product.name Blue Widget microdata",
        "product.price 1299.00 microdata",
        "product.price 1399.00 microdata",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_directory_of_organisations_names_none() {
    let one = |n: usize| format!(r#"{{"@type": "LocalBusiness", "name": "B{n}"}}"#);
    let many: Vec<String> = (0..4).map(one).collect();
    assert_eq!(json_ld(&format!("[{}]", many.join(","))), NONE);
}

#[test]
fn metas_say_site_product_dates_and_tokens() {
    let found = lines(
        "<meta property='og:site_name' content=Acme><meta property='og:url' content='/x#y'>
         <meta property='og:type' content=Product><meta name='twitter:site' content='@AcmeShop'>
         <meta property='product:price:amount' content='19.9'>
         <meta property='product:price:currency' content=usd>
         <meta property='article:published_time' content='2024-03-05T10:00:00Z'>
         <meta http-equiv=last-modified content='Tue, 05 Mar 2024 10:20:30 GMT'>
         <meta name=date content='someday'>
         <meta name='google-site-verification' content='FUKsnUBt72i9Ed0IVsjDqcQdfH1yRSUM'>
         <meta name='yandex-verification' content='<your token>'>
         <meta name='msvalidate.01' content='5D28F4F5F17434126F479D5A2DD35DD0'>
         <meta property='fb:app_id' content='249643311490'>
         <meta property='fb:pages' content='42354254341, 57427307078'>
         <meta name='apple-itunes-app' content='app-id=407345290, affiliate-data=x'>
         <meta property='al:android:package' content='com.acme.shop'>
         <meta name='google-adsense-account' content='ca-pub-9811502795429889'>",
    );
    let expected = [
        "id.adsense pub-9811502795429889 meta",
        "id.android_app com.acme.shop meta",
        "id.apple_app 407345290 meta",
        "id.bing_verification 5D28F4F5F17434126F479D5A2DD35DD0 meta",
        "id.facebook_app 249643311490 meta",
        "id.facebook_pages 42354254341 meta",
        "id.facebook_pages 57427307078 meta",
        "id.google_verification FUKsnUBt72i9Ed0IVsjDqcQdfH1yRSUM meta",
        "modified 2024-03-05T10:20:30Z meta",
        "og.type product meta",
        "og.url https://shop.example/x meta",
        "product.currency USD meta",
        "product.price 19.90 meta",
        "published 2024-03-05T10:00:00Z meta",
        "site_name Acme meta",
        "twitter.site @acmeshop meta",
    ];
    assert_eq!(found, expected);
}

#[test]
fn identifiers_count_where_they_are_executed() {
    let found = lines(
        "<script>ga('create', 'UA-8273511-3')</script>
         <script src='https://www.googletagmanager.com/gtag/js?id=G-S812YQPLT2'></script>
         <script type='text/plain' data-cookieconsent=statistics>ym(23897031)</script>
         <script type=rocketlazyloadscript>fbq('init', '1529072587392214')</script>
         <body><noscript><iframe src='https://www.googletagmanager.com/ns.html?id=GTM-W8JKW6'>
         </iframe></noscript><ins class=adsbygoogle data-ad-client=ca-pub-9811502795429889></ins>
         <amp-analytics><script type='application/json'>{\"account\": \"UA-9273511-1\"}</script>
         </amp-analytics>",
    );
    let expected = [
        "id.adsense pub-9811502795429889 script",
        "id.facebook_pixel 1529072587392214 script",
        "id.ga4 G-S812YQPLT2 script_src",
        "id.ga_ua UA-8273511 script",
        "id.ga_ua UA-9273511 script",
        "id.gtm GTM-W8JKW6 iframe",
        "id.yandex_metrika 23897031 script",
    ];
    assert_eq!(found, expected);
}

#[test]
fn identifiers_that_are_shown_are_none() {
    for html in [
        "<p>Write ga('create', 'UA-8273511-3') in your page.</p>",
        "<pre>&lt;script&gt;ga('create', 'UA-8273511-3')&lt;/script&gt;</pre>",
        "<pre><script>ga('create', 'UA-8273511-3')</script></pre>",
        "<code><iframe src='https://tags.example/ns.html?id=GTM-W8JKW6'></iframe></code>",
        "<textarea><script>ga('create', 'UA-8273511-3')</script></textarea>",
        "<!-- <script>ga('create', 'UA-8273511-3')</script> -->",
        "<script type='text/template'>ga('create', 'UA-8273511-3')</script>",
        "<script type='application/json'>{\"html\": \"'UA-8273511-3'\"}</script>",
        "<template><script>ga('create', 'UA-8273511-3')</script></template>",
        "<a href='https://x.example/?tid=UA-8273511-3'>x</a>",
        "<!-- never closed <script>ga('create', 'UA-8273511-3')</script>",
    ] {
        assert_eq!(lines(html), NONE, "{html}");
    }
}

#[test]
fn times_are_dates_where_they_say_so() {
    let found = lines(
        "<time datetime=2024-03-05 pubdate>x</time><time datetime=2024-03-06>y</time>
         <time itemprop='dateModified' datetime=2024-03-07>z</time>
         <div itemscope itemtype='http://schema.org/Comment'>
         <time itemprop=datePublished datetime=2024-03-08>c</time></div>
         <div itemscope itemtype='http://schema.org/Article'>
         <time itemprop=datePublished datetime=2024-03-09>c</time></div>",
    );
    let expected =
        ["modified 2024-03-07 time", "published 2024-03-05 time", "published 2024-03-09 microdata"];
    assert_eq!(found, expected);
}

#[test]
fn the_foot_says_whose_site_it_is() {
    let found = lines(
        "<article><footer>© 2020 Author</footer><p>ИНН 7707083893</p></article>
         <p>Company No. 03977902</p>
         <div class='site-footer'><p>© 2010–2024 <a href=/>Acme Ltd</a> <a href=/t>Terms</a></p>
         <p>Registered in England, company number 03977903</p>
         <a href='tel:+44 20 7946 0018'>Call</a><a href='mailto:Info@Shop.de?subject=x'>Mail</a>
         <a href='https://twitter.com/AcmeShop'>T</a>
         <a href='https://twitter.com/intent/tweet?text=x'>Share</a></div>
         <a href='https://t.me/reader'>R</a>",
    );
    let expected = [
        "copyright Acme Ltd footer",
        "email info@shop.de footer",
        "legal.company_number company:03977903 footer",
        "phone +442079460018 footer",
        "social t.me/reader anchor",
        "social x.com/acmeshop footer",
    ];
    assert_eq!(found, expected);
}

#[test]
fn broken_json_is_counted() {
    assert_eq!(json_ld("{\"@type\": \"Product\",}"), ["json_ld_error 1 json_ld"]);
    assert_eq!(json_ld("{\"@type\": \"WebSite\", \"name\": \"A\nB\"}"), ["site_name A B json_ld"]);
    assert_eq!(json_ld("//<![CDATA[\n{\"@type\": \"WebSite\", \"name\": \"A\"}\n//]]>").len(), 1);
    assert_eq!(json_ld("  "), NONE);
}

#[test]
fn hostile_pages_are_read_within_bounds() {
    let arrays = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(json_ld(&arrays), ["json_ld_error 1 json_ld"]);
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(json_ld(&deep), NONE);
    let script = "UA-fbq(setSiteId'c2:ym(clarity\"G-".repeat(1 << 15);
    assert_eq!(lines(&format!("<script>{script}</script>")), NONE);
    let wide = format!("[{}]", vec![r#"{"@type":"Product"}"#; 30_000].join(","));
    assert_eq!(json_ld(&wide), NONE);
    let scopes = "<div itemscope itemprop=offers itemtype=Product><b itemprop=name>".repeat(500);
    assert!(all(&scopes).len() < 10);
    let spaces =
        format!("<script>c2{}setSiteId{}</script>", " ".repeat(1 << 20), " ".repeat(1 << 20));
    assert_eq!(lines(&spaces), NONE);
    let links: String = (0..500).map(|n| format!("<a href=mailto:n{n}@shop.de>x</a>")).collect();
    assert_eq!(all(&links).len(), FACTS_PER_KIND);
}

#[test]
fn every_kind_and_place_is_listed_once() {
    assert!(KINDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(PLACES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    let page = include_str!("walk.rs").to_owned()
        + include_str!("thing.rs")
        + include_str!("metas.rs")
        + include_str!("link.rs")
        + include_str!("legal.rs")
        + include_str!("label.rs")
        + include_str!("ids.rs");
    for (kind, _) in KINDS {
        assert!(page.contains(&format!("\"{kind}\"")), "{kind} is listed and never made");
    }
}
