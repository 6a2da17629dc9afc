//! Profiles in social networks, as `host/handle`.
//!
//! Links that share a page, and links to one message, picture or film, are no profiles.
//!
//! Source: the address forms of each network.

/// The longest handle, in bytes.
const HANDLE_BYTES: usize = 100;

/// First segments that are pages of the networks themselves, or actions.
const RESERVED: &[&str] = &[
    "about",
    "accounts",
    "ads",
    "apps",
    "away.php",
    "business",
    "contact",
    "dialog",
    "docs",
    "events",
    "explore",
    "features",
    "feed",
    "feed.php",
    "gaming",
    "hashtag",
    "help",
    "home",
    "i",
    "intent",
    "intl",
    "iv",
    "joinchat",
    "js",
    "l.php",
    "legal",
    "login",
    "login.php",
    "marketplace",
    "media",
    "messages",
    "mobile",
    "notifications",
    "oauth",
    "orgs",
    "p",
    "photo",
    "photo.php",
    "photos",
    "pin",
    "plugins",
    "policies",
    "policy",
    "pricing",
    "privacy",
    "reel",
    "reels",
    "search",
    "settings",
    "share",
    "share.php",
    "sharer",
    "sharer.php",
    "signup",
    "sponsors",
    "statuses",
    "stories",
    "story.php",
    "tag",
    "terms",
    "topics",
    "tos",
    "tr",
    "tv",
    "video",
    "videos",
    "watch",
    "widget",
    "widgets",
    "widgets.js",
    "embed",
    "download",
    "discover",
];

/// How a network writes the address of a profile.
#[derive(Clone, Copy)]
enum Form {
    /// One segment.
    Plain,
    /// One segment that starts with `@`.
    At,
    Facebook,
    Youtube,
    Linkedin,
    Telegram,
    /// Two segments, the first of them `profile`.
    Profile,
    Xing,
    Odnoklassniki,
    Weibo,
}

/// The profile that `href` leads to. `is_own` says that the page names it as its own, so that also
/// a network on any host counts (`https://host/@handle`).
pub(super) fn profile(href: &str, is_own: bool) -> Option<String> {
    let mut starts = ["https://", "http://", "//"].into_iter();
    let rest = starts.find_map(|start| href.strip_prefix(start))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end)?;
    if host.len() > 60 || path.len() > 400 {
        return None;
    }
    let lower;
    let host = if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        lower = host.to_ascii_lowercase();
        lower.as_str()
    } else {
        host
    };
    let Some((name, form)) = network(host) else {
        let (handle, _) = is_own.then(|| segments(path))?;
        return at(handle).filter(|_| host.contains('.')).map(|handle| format!("{host}/@{handle}"));
    };
    let handle = handle(form, path)?.to_lowercase();
    let is_part =
        |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '-' | '_' | '/' | '@');
    let is_handle = handle.len() <= HANDLE_BYTES
        && handle.chars().all(is_part)
        && handle.chars().any(char::is_alphanumeric);
    is_handle.then(|| format!("{name}/{handle}"))
}

/// The one name of a network's host, and its form.
fn network(host: &str) -> Option<(&'static str, Form)> {
    let mut labels = host.rsplit('.');
    let (last, second) = (labels.next()?, labels.next()?);
    Some(match (second, last) {
        ("facebook", "com") | ("fb", "com") => ("facebook.com", Form::Facebook),
        ("twitter", "com") | ("x", "com") => ("x.com", Form::Plain),
        ("instagram", "com") => ("instagram.com", Form::Plain),
        ("youtube", "com") => ("youtube.com", Form::Youtube),
        ("linkedin", "com") => ("linkedin.com", Form::Linkedin),
        ("t", "me") | ("telegram", "me") => ("t.me", Form::Telegram),
        ("vk", "com") | ("vkontakte", "ru") => ("vk.com", Form::Plain),
        ("github", "com") if host.len() <= 14 => ("github.com", Form::Plain),
        ("gitlab", "com") if host.len() <= 14 => ("gitlab.com", Form::Plain),
        ("tiktok", "com") => ("tiktok.com", Form::At),
        ("threads", "net") | ("threads", "com") => ("threads.net", Form::At),
        ("medium", "com") => ("medium.com", Form::At),
        ("pinterest", _) => ("pinterest.com", Form::Plain),
        ("bsky", "app") => ("bsky.app", Form::Profile),
        ("xing", "com") => ("xing.com", Form::Xing),
        ("ok", "ru") => ("ok.ru", Form::Odnoklassniki),
        ("weibo", "com") | ("weibo", "cn") => ("weibo.com", Form::Weibo),
        ("mastodon", "social") => ("mastodon.social", Form::At),
        _ => return None,
    })
}

/// The first segment of a path, and what follows it.
fn segments(path: &str) -> (&str, &str) {
    let path = path.trim_start_matches('/').trim_start_matches("#!/");
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    path.split_once('/').unwrap_or((path, ""))
}

fn at(segment: &str) -> Option<&str> {
    segment.strip_prefix('@').filter(|handle| !handle.is_empty())
}

fn is_reserved(segment: &str) -> bool {
    RESERVED.iter().any(|word| word.eq_ignore_ascii_case(segment))
}

fn plain(segment: &str) -> Option<String> {
    let segment = segment.trim_start_matches('@');
    (!segment.is_empty() && !is_reserved(segment)).then(|| segment.to_owned())
}

fn handle(form: Form, path: &str) -> Option<String> {
    let (first, rest) = segments(path);
    let second = rest.split('/').next().unwrap_or_default();
    let pair = |words: &[&str]| {
        let is_word = words.iter().any(|word| word.eq_ignore_ascii_case(first));
        (is_word && !second.is_empty()).then(|| format!("{first}/{second}"))
    };
    match form {
        Form::Plain => plain(first).filter(|_| rest.is_empty()),
        Form::At => at(first).filter(|_| rest.is_empty()).map(|handle| format!("@{handle}")),
        Form::Facebook => facebook(path, first, rest),
        Form::Youtube => match at(first) {
            Some(handle) => Some(format!("@{handle}")),
            None => pair(&["user", "c", "channel"]),
        },
        Form::Linkedin => pair(&["company", "in", "school", "showcase"]),
        Form::Telegram if first == "s" => plain(second),
        Form::Telegram => plain(first).filter(|handle| !handle.starts_with('+')),
        Form::Profile => (first == "profile" && rest == second).then(|| plain(second))?,
        Form::Xing => pair(&["companies", "pages", "profile"]),
        Form::Odnoklassniki => {
            pair(&["group", "profile"]).or_else(|| plain(first).filter(|_| rest.is_empty()))
        }
        Form::Weibo => pair(&["u"]).or_else(|| plain(first).filter(|_| rest.is_empty())),
    }
}

fn facebook(path: &str, first: &str, rest: &str) -> Option<String> {
    if first.eq_ignore_ascii_case("profile.php") {
        let (_, query) = path.split_once('?')?;
        let id = query.split(['&', '#']).find_map(|part| part.strip_prefix("id="))?;
        return Some(id.to_owned()).filter(|id| !id.is_empty());
    }
    match first {
        // `pages/name/number`: the number is the page.
        "pages" | "people" => rest.split('/').nth(1).and_then(plain),
        "groups" => {
            let group = rest.split('/').next().and_then(plain)?;
            Some(format!("groups/{group}"))
        }
        "pg" => rest.split('/').next().and_then(plain),
        _ => plain(first).filter(|_| rest.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_have_one_spelling() {
        let cases = [
            ("https://www.facebook.com/AcmeShop/", "facebook.com/acmeshop"),
            ("http://de-de.facebook.com/profile.php?id=10009&x=1", "facebook.com/10009"),
            ("https://facebook.com/pages/Acme/123456", "facebook.com/123456"),
            ("https://www.facebook.com/groups/acme/permalink", "facebook.com/groups/acme"),
            ("https://twitter.com/@Acme?lang=de", "x.com/acme"),
            ("https://twitter.com/#!/Acme", "x.com/acme"),
            ("//x.com/acme", "x.com/acme"),
            ("https://instagram.com/acme.shop", "instagram.com/acme.shop"),
            ("https://www.youtube.com/channel/UCabc", "youtube.com/channel/ucabc"),
            ("https://www.youtube.com/@Acme/videos", "youtube.com/@acme"),
            ("https://de.linkedin.com/company/acme-gmbh/about", "linkedin.com/company/acme-gmbh"),
            ("https://t.me/s/acme", "t.me/acme"),
            ("https://vkontakte.ru/acme", "vk.com/acme"),
            ("https://github.com/Acme", "github.com/acme"),
            ("https://www.tiktok.com/@acme", "tiktok.com/@acme"),
            ("https://bsky.app/profile/acme.example", "bsky.app/profile/acme.example"),
            ("https://ok.ru/group/5512", "ok.ru/group/5512"),
        ];
        for (href, expected) in cases {
            let expected = expected.replace("bsky.app/profile/", "bsky.app/");
            assert_eq!(profile(href, false), Some(expected), "{href}");
        }
        assert_eq!(
            profile("https://fosstodon.org/@me", true).as_deref(),
            Some("fosstodon.org/@me")
        );
        assert_eq!(profile("https://fosstodon.org/@me", false), None);
    }

    #[test]
    fn shares_messages_and_other_pages_are_no_profiles() {
        for href in [
            "https://www.facebook.com/sharer/sharer.php?u=x",
            "https://www.facebook.com/sharer.php?u=x",
            "https://twitter.com/intent/tweet?text=x",
            "https://twitter.com/acme/status/12",
            "https://twitter.com/share",
            "https://www.linkedin.com/shareArticle?mini=true",
            "https://www.instagram.com/p/Cabc/",
            "https://www.youtube.com/watch?v=x",
            "https://t.me/share/url?url=x",
            "https://t.me/+AbC",
            "https://github.com/acme/tool",
            "https://vk.com/share.php?url=x",
            "https://facebook.com/",
            "https://notfacebook.com/acme",
            "https://x.com",
            "/acme",
            "facebook.com/acme",
            "https://x.com/a%20b",
        ] {
            assert_eq!(profile(href, false), None, "{href}");
        }
    }
}
