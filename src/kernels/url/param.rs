//! Parameters that say where a reader came from or who it is, and not which page is shown.
//!
//! A parameter is known by its whole name, byte for byte, session names in any case; `utm_` and
//! `mtm_` are names reserved by their makers and stand for every name that starts so. Names that
//! some sites use for content (`ref`, `source`, `id`, `page`, `s`, `sid`, `q`, `lang`, `tag`,
//! `spm`, `cid` and their like) are in no list here: `s` and `sid` count as session ids by the
//! shape of their value, and all others need evidence on the host.
//!
//! Source: each group names the maker whose manual describes it, or the public list that carries
//! it: AdGuard is `TrackParamFilter/sections/general_url.txt` of AdguardFilters, Brave is
//! `components/query_filter` of brave-core, Registry is mpchadwick/tracking-query-params-registry.
//! Cost: one probe of a table made at compile time and as a rule no comparison; no allocation.

use super::Rule;

/// What a known parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A click, a campaign or a visitor.
    Click,
    /// The reader of a mail. It stays on pages of mail tools, where it is the content.
    Mail,
    /// A session, whatever the value.
    Session,
    /// A session, where the value is long and random.
    ShapedSession,
    /// A session, where its partner is in the query too.
    PairedSession,
}

/// Names of one maker.
struct Group {
    kind: Kind,
    source: &'static str,
    names: &'static [&'static str],
}

const fn group(kind: Kind, source: &'static str, names: &'static [&'static str]) -> Group {
    Group { kind, source, names }
}

/// Every name that is known by itself, what it is of, and where that is written.
pub fn known_parameters() -> impl Iterator<Item = (&'static str, Rule, &'static str)> {
    GROUPS.iter().flat_map(|group| {
        let rule = match group.kind {
            Kind::Click | Kind::Mail => Rule::Tracking,
            Kind::Session | Kind::ShapedSession | Kind::PairedSession => Rule::Session,
        };
        group.names.iter().map(move |&name| (name, rule, group.source))
    })
}

/// The names that have a prefix of their own: Google Analytics, Matomo.
const PREFIXES: [&[u8]; 2] = [b"utm_", b"mtm_"];

/// ASP (Microsoft, IIS): the name of the session cookie, then eight letters made by the server.
const ASP_SESSION: &[u8] = b"aspsessionid";

const GROUPS: &[Group] = &[
    group(
        Kind::Click,
        "Google Ads, Campaign Manager, Merchant Center and Analytics help",
        &[
            "gclid",
            "gclsrc",
            "dclid",
            "gbraid",
            "wbraid",
            "gad_source",
            "gad_campaignid",
            "srsltid",
            "_ga",
            "_gl",
        ],
    ),
    group(Kind::Click, "Google Search, AMP; AdGuard for the second", &["gs_l", "usqp"]),
    group(Kind::Click, "Microsoft Advertising help", &["msclkid"]),
    group(
        Kind::Click,
        "Meta: click identifier; Open Graph references by AdGuard",
        &[
            "fbclid",
            "fb_action_ids",
            "fb_action_types",
            "fb_ref",
            "fb_source",
            "fb_comment_id",
            "fbadid",
            "action_object_map",
            "action_ref_map",
            "action_type_map",
            "igshid",
        ],
    ),
    group(
        Kind::Click,
        "X (Twitter) Ads help; public lists for all but the first",
        &["twclid", "tw_source", "tw_medium", "tw_adid", "tw_profile_id", "__twitter_impression"],
    ),
    group(Kind::Click, "TikTok Ads help", &["ttclid"]),
    group(Kind::Click, "Pinterest; Registry", &["epik"]),
    group(
        Kind::Click,
        "Yandex Direct and Metrica help",
        &["yclid", "ysclid", "ymclid", "_openstat"],
    ),
    group(
        Kind::Click,
        "HubSpot Knowledge Base: ads tracking, tracking code",
        &[
            "__hssc",
            "__hstc",
            "__hsfp",
            "_hsenc",
            "_hsmi",
            "hsCtaTracking",
            "hsa_acc",
            "hsa_ad",
            "hsa_cam",
            "hsa_grp",
            "hsa_kw",
            "hsa_la",
            "hsa_mt",
            "hsa_net",
            "hsa_ol",
            "hsa_src",
            "hsa_tgt",
            "hsa_ver",
        ],
    ),
    group(
        Kind::Click,
        "Matomo guide: campaign parameters of Matomo and of Piwik",
        &[
            "pk_campaign",
            "pk_kwd",
            "pk_keyword",
            "pk_source",
            "pk_medium",
            "pk_cid",
            "pk_vid",
            "piwik_campaign",
            "piwik_kwd",
        ],
    ),
    group(
        Kind::Click,
        "Adobe Analytics and Advertising help, Adobe Experience Cloud ID",
        &["s_cid", "s_kwcid", "ef_id", "adobe_mc_ref", "adobe_mc_sdid"],
    ),
    group(
        Kind::Click,
        "Piano (AT Internet) help: campaigns",
        &[
            "xtor",
            "at_campaign",
            "at_campaign_type",
            "at_creation",
            "at_emailtype",
            "at_link",
            "at_link_id",
            "at_link_origin",
            "at_link_type",
            "at_medium",
            "at_ptr_name",
            "at_send_date",
        ],
    ),
    group(Kind::Click, "Mapp Intelligence documentation", &["wt_mc"]),
    group(
        Kind::Click,
        "Parse.ly help: internal campaigns",
        &["itm_source", "itm_medium", "itm_campaign", "itm_content", "itm_term"],
    ),
    group(
        Kind::Click,
        "public lists: internal campaigns",
        &["int_source", "int_medium", "int_campaign", "int_content"],
    ),
    group(Kind::Click, "Branch documentation", &["_branch_match_id", "_branch_referrer"]),
    group(
        Kind::Click,
        "Adjust help: tracker links",
        &[
            "adjust_adgroup",
            "adjust_campaign",
            "adjust_creative",
            "adjust_tracker",
            "adjust_tracker_limit",
            "adjust_referrer",
            "adj_campaign",
            "adj_creative",
            "gps_adid",
            "unicorn_click_id",
        ],
    ),
    group(
        Kind::Click,
        "AppsFlyer help: OneLink parameters",
        &["af_ad", "af_adset", "af_click_lookback", "af_force_deeplink", "af_xp", "is_retargeting"],
    ),
    group(
        Kind::Click,
        "impact.com help; AdGuard for irgwc",
        &["irclickid", "irgwc", "ir_adid", "ir_campaignid", "ir_partnerid"],
    ),
    group(Kind::Click, "Awin help", &["awc"]),
    group(Kind::Click, "CJ documentation", &["cjevent", "cjdata"]),
    group(Kind::Click, "ShareASale", &["sscid"]),
    group(Kind::Click, "Tradedoubler", &["tduid"]),
    group(Kind::Click, "Admitad; AdGuard", &["admitad_uid"]),
    group(Kind::Click, "Taboola help", &["tblci"]),
    group(
        Kind::Click,
        "Yahoo consent; AdGuard",
        &["guccounter", "guce_referrer", "guce_referrer_sig"],
    ),
    group(
        Kind::Click,
        "Oracle Eloqua help",
        &["elq", "elqaid", "elqat", "elqCampaignId", "elqTrackId"],
    ),
    group(
        Kind::Click,
        "Microsoft Dynamics 365 with ClickDimensions; AdGuard",
        &["_clde", "_cldee"],
    ),
    group(Kind::Click, "Marin Software; Registry", &["mkwid", "pcrid"]),
    group(Kind::Click, "GoDataFeed; Registry", &["gdfms", "gdftrk", "gdffi"]),
    group(
        Kind::Click,
        "Springbot; Registry",
        &["redirect_log_mongo_id", "redirect_mongo_id", "sb_referer_host"],
    ),
    group(
        Kind::Click,
        "AD EBiS; AdGuard for the first, public lists",
        &["ebisAdID", "ebisOther1", "ebisOther2", "ebisOther3", "ebisOther4", "ebisOther5"],
    ),
    group(Kind::Click, "Wicked Reports; Brave", &["wickedid"]),
    group(Kind::Click, "Russian ad exchange; Brave", &["rb_clickid"]),
    group(Kind::Click, "ValueCommerce, moshimo; AdGuard", &["vc_lpp", "maf"]),
    group(Kind::Click, "Segmentify; AdGuard", &["_sgm_campaign", "_sgm_source", "_sgm_action"]),
    group(
        Kind::Click,
        "AdGuard",
        &["adfrom", "nx_source", "_zucks_suid", "cmpid", "asgtbndr", "oprtrack", "aiad_clid"],
    ),
    group(
        Kind::Click,
        "Piano Composer: recommendations; public lists",
        &["cx_click", "cx_recsOrder", "cx_recsWidget"],
    ),
    group(
        Kind::Click,
        "public lists: ad networks and mobile marketing",
        &[
            "adsterra_clid",
            "adsterra_placement_id",
            "bemobdata",
            "external_click_id",
            "iclid",
            "loclid",
            "rtkcid",
            "sms_click",
            "sms_source",
            "sms_uph",
            "hmb_campaign",
            "hmb_medium",
            "hmb_source",
            "mindbox-click-id",
            "mindbox-message-key",
            "personaclick_input_query",
            "personaclick_search_query",
            "vsm_cid",
            "vsm_pid",
            "vsm_type",
            "spot_im_redirect_source",
        ],
    ),
    group(Kind::Mail, "Adobe Marketo Engage help; Brave, with its exception", &["mkt_tok"]),
    group(Kind::Mail, "Kit (ConvertKit); Brave, with its exception", &["ck_subscriber_id"]),
    group(Kind::Mail, "Brave, with its exception", &["h_sid", "h_slt"]),
    group(Kind::Mail, "Mailchimp help", &["mc_cid", "mc_eid", "mc_tc"]),
    group(Kind::Mail, "Klaviyo help", &["_kx"]),
    group(Kind::Mail, "MailerLite; Brave", &["ml_subscriber", "ml_subscriber_hash"]),
    group(Kind::Mail, "Omeda (Olytics); Brave", &["oly_anon_id", "oly_enc_id"]),
    group(Kind::Mail, "Vero; Brave", &["vero_id", "vero_conv"]),
    group(Kind::Mail, "Beehiiv; Brave", &["_bhlid"]),
    group(
        Kind::Mail,
        "Brave",
        &["at_recipient_id", "at_recipient_list", "bbeml", "et_rid", "ss_email_id", "vgo_ee"],
    ),
    group(
        Kind::Mail,
        "Ometria; Brave",
        &["oft_c", "oft_ck", "oft_d", "oft_id", "oft_ids", "oft_k", "oft_lk", "oft_sk"],
    ),
    group(
        Kind::Mail,
        "Blueshift; AdGuard",
        &["bsft_aaid", "bsft_clkid", "bsft_eid", "bsft_ek", "bsft_mid", "bsft_uid"],
    ),
    group(Kind::Mail, "Oracle Bronto; Registry", &["_bta_tid", "_bta_c"]),
    group(Kind::Mail, "Listrak; Registry", &["trk_contact", "trk_module", "trk_msg", "trk_sid"]),
    group(Kind::Mail, "Dotdigital help", &["dm_i"]),
    group(Kind::Mail, "public lists", &["sc_customer", "sc_eh", "sc_uid"]),
    group(
        Kind::Session,
        "PHP manual: session.name and its common spellings",
        &["phpsessid", "phpsessionid"],
    ),
    group(Kind::Session, "Jakarta Servlet specification", &["jsessionid"]),
    group(Kind::Session, "Microsoft ASP.NET documentation", &["asp.net_sessionid", "__viewstate"]),
    group(Kind::Session, "Adobe ColdFusion documentation", &["cftoken"]),
    group(Kind::PairedSession, "Adobe ColdFusion documentation", &["cfid"]),
    group(Kind::Session, "osCommerce, Zen Cart, xt:Commerce", &["oscsid", "zenid", "xtcsid"]),
    group(
        Kind::Session,
        "Apache Nutch: default rules of its URL normaliser",
        &["_sessionid", "bv_sessionid"],
    ),
    group(
        Kind::ShapedSession,
        "session names that some sites use for content",
        &[
            "s",
            "sid",
            "_sid",
            "sess",
            "sessid",
            "session",
            "session_id",
            "sessionid",
            "lsessionid",
            "psessionid",
        ],
    ),
];

/// Slots of the table: more than twice the names, so that most probes of other names end at once.
const SLOTS: usize = 1024;

/// No name. Groups are fewer.
const EMPTY: u8 = u8::MAX;

/// By hash of a name: its group and its place there; a taken slot leads to the next one.
static TABLE: [(u8, u8); SLOTS] = table();

const fn table() -> [(u8, u8); SLOTS] {
    let mut table = [(EMPTY, 0); SLOTS];
    let (mut group, mut group_number) = (0, 0);
    while group < GROUPS.len() {
        let names = GROUPS[group].names;
        let (mut name, mut name_number) = (0, 0);
        while name < names.len() {
            let mut slot = slot(names[name].as_bytes());
            while table[slot].0 != EMPTY {
                slot = (slot + 1) % SLOTS;
            }
            table[slot] = (group_number, name_number);
            name += 1;
            name_number += 1;
        }
        group += 1;
        group_number += 1;
    }
    assert!(group_number < EMPTY, "a group has a number of one byte");
    table
}

/// The slot that a name hashes to, from its length and four of its bytes, in any case.
#[expect(clippy::as_conversions, reason = "a const function has no From")]
const fn slot(name: &[u8]) -> usize {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    let ends = name[0] as usize ^ (name[length - 1] as usize) << 5;
    let middle = (name[length / 2] as usize) << 8 ^ (name[length / 3] as usize) << 13;
    let sum = (ends ^ middle) & !(0x20 | 0x20 << 5 | 0x20 << 8 | 0x20 << 13);
    ((sum.wrapping_add(length << 3)).wrapping_mul(0x9E37_79B9) >> 12) % SLOTS
}

/// What the parameter called `name` is, if it is known.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    let mut at = slot(name);
    loop {
        let (group, place) = TABLE[at];
        if group == EMPTY {
            return kind_of_family(name);
        }
        let group = &GROUPS[usize::from(group)];
        let known = group.names[usize::from(place)].as_bytes();
        let is_found = match group.kind {
            Kind::Click | Kind::Mail => known == name,
            _ => known.eq_ignore_ascii_case(name),
        };
        if is_found {
            return Some(group.kind);
        }
        at = (at + 1) % SLOTS;
    }
}

fn kind_of_family(name: &[u8]) -> Option<Kind> {
    if name.len() > 4 && PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return Some(Kind::Click);
    }
    let (start, letters) = name.split_at_checked(ASP_SESSION.len())?;
    let is_asp = start.eq_ignore_ascii_case(ASP_SESSION)
        && letters.len() == 8
        && letters.iter().all(u8::is_ascii_alphabetic);
    is_asp.then_some(Kind::Session)
}

/// Whether a value is long and random enough for a session: 16 hexadecimal digits or more, or 32
/// letters and digits or more; a digit is among them.
pub(super) fn has_session_shape(value: &str) -> bool {
    let is_all = |test: fn(&u8) -> bool| value.as_bytes().iter().all(test);
    let is_long = value.len() >= 16 && is_all(u8::is_ascii_hexdigit)
        || value.len() >= 32 && is_all(u8::is_ascii_alphanumeric);
    is_long && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether `name` is what `cfid` goes with.
pub(super) fn is_pair_of_session(name: &str) -> bool {
    name.eq_ignore_ascii_case("cftoken")
}

/// Whether a URL is one of a mail tool's own pages, where the reader is the content: to cancel a
/// subscription, or to read the mail in a browser.
pub(super) fn is_mail_page(url: &str) -> bool {
    ["nsubscribe", "emailWebview", "/email/"].iter().any(|sign| url.contains(sign))
}

/// The path without segments and parameters of segments that are session ids.
///
/// `;jsessionid=...` and other named ones go, `;$sessionid$...` of ATG Dynamo, and the segments
/// that ASP.NET writes for readers without cookies: `/(S(24 letters and digits))`, also with the
/// other letters it uses, and its older form `/(24 letters and digits)` before an `.aspx` page.
pub(super) fn path_without_sessions(path: &str) -> String {
    let mut kept = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(after) = rest.strip_prefix('/') {
        let (segment, behind) = after.split_at(after.find('/').unwrap_or(after.len()));
        if !is_session_segment(segment, behind) {
            kept.push('/');
            push_without_sessions(segment, &mut kept);
        }
        rest = behind;
    }
    if kept.is_empty() {
        kept.push('/');
    }
    kept
}

fn push_without_sessions(segment: &str, kept: &mut String) {
    for (number, part) in segment.split(';').enumerate() {
        let name = part.split_once('=').map_or("", |(name, _)| name);
        let is_session = kind(name.as_bytes()) == Some(Kind::Session)
            || part.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("$sessionid$"));
        if number > 0 && is_session {
            continue;
        }
        if number > 0 {
            kept.push(';');
        }
        kept.push_str(part);
    }
}

/// Letters and digits of a session id of ASP.NET.
const ASP_NET_ID_BYTES: usize = 24;

fn is_asp_net_id(text: &str) -> bool {
    text.len() == ASP_NET_ID_BYTES && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_session_segment(segment: &str, behind: &str) -> bool {
    let inner = segment.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let Some(inner) = inner else { return false };
    if is_asp_net_id(inner) {
        let page = behind.rsplit('/').next().unwrap_or_default();
        return page.to_ascii_lowercase().ends_with(".aspx");
    }
    let mut has_id = false;
    let mut rest = inner;
    while !rest.is_empty() {
        let Some((letter, after)) = rest.split_once('(') else { return false };
        let Some((value, after)) = after.split_once(')') else { return false };
        let is_group = matches!(letter.as_bytes(), [letter] if letter.is_ascii_alphabetic());
        let is_value =
            value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if !is_group || !is_value {
            return false;
        }
        has_id |= letter.eq_ignore_ascii_case("s") && is_asp_net_id(value);
        rest = after;
    }
    has_id
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Names that sites use for content: none may be known by its name alone.
    const AMBIGUOUS: &str = "ftag referrer ad_id clickid cuid spm si ref ref_ campaign cid smid \
        aff click_id cmp CMP scm affiliate AID campaign_id LID MID a8 algo Referrer SRC ei pp s \
        src t feature from oq pid sid source tag app c client ct e h mid origin p page partner \
        platform r site sk st ts type u uid a action aid bid code content d device id ie ip key \
        kw l lid list locale nid ns offer_id PID pl qs query sp tid token track url v z act amp \
        an article b category cd cmd country cp date domain f fid go hl i index keyword language \
        lc lg ls m mode mp ms mt mv name nocache o op output path pg pr price product qq q rc \
        redirect section service session SID start state style ver version w x branch cat ep \
        field file filter format gid gl item k lang limit lng n next order prod product_id \
        search show sort story tab target thread title to topic user view y year ref_src psc th \
        node keywords smid";

    #[test]
    fn ambiguous_names_are_in_no_list() {
        for name in AMBIGUOUS.split_whitespace() {
            let kind = kind(name.as_bytes());
            assert!(matches!(kind, None | Some(Kind::ShapedSession)), "{name} is {kind:?}");
        }
    }

    #[test]
    fn every_name_is_found_and_stands_once() {
        let mut names = BTreeSet::new();
        for group in GROUPS {
            assert!(!group.source.is_empty() && !group.names.is_empty());
            for name in group.names {
                assert_eq!(kind(name.as_bytes()), Some(group.kind), "{name}");
                assert!(names.insert(name.to_ascii_lowercase()), "{name} stands twice");
                let is_family = PREFIXES.iter().any(|prefix| name.as_bytes().starts_with(prefix));
                assert!(!is_family, "{name}");
            }
        }
        assert!(names.len() > 200 && names.len() * 2 < SLOTS, "{} names", names.len());
    }

    #[test]
    fn names_match_whole_and_families_by_their_start() {
        for (name, wanted) in [
            ("utm_source", Some(Kind::Click)),
            ("utm_anything", Some(Kind::Click)),
            ("utm_", None),
            ("xutm_source", None),
            ("UTM_SOURCE", None),
            ("gclid", Some(Kind::Click)),
            ("gclid1", None),
            ("GCLID", None),
            ("PHPSESSID", Some(Kind::Session)),
            ("PhpSessId", Some(Kind::Session)),
            ("ASPSESSIONIDAQBSDSRT", Some(Kind::Session)),
            ("ASPSESSIONIDAQBSDSR", None),
            ("aspsessionid", None),
            ("newsid", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(kind(name.as_bytes()), wanted, "{name}");
        }
    }

    #[test]
    fn session_values_are_long_and_random() {
        assert!(has_session_shape("0123456789abcdef"));
        assert!(has_session_shape("abcdefghijklmnopqrstuvwxyz012345"));
        for value in ["", "4711", "0123456789abcde", "abcdefabcdefabcdef", "gutenberg-gutenberg-2"]
        {
            assert!(!has_session_shape(value), "{value}");
        }
    }

    #[test]
    fn paths_lose_their_session_ids() {
        for (path, wanted) in [
            ("/a;jsessionid=1/b;v=2", "/a/b;v=2"),
            ("/a;v=1;JSESSIONID=A.node!b?", "/a;v=1"),
            ("/;jsessionid=1", "/"),
            ("/a;$sessionid$JKOFFNYA", "/a"),
            ("/jsessionid=1", "/jsessionid=1"),
            ("/a;sid=0123456789abcdef", "/a;sid=0123456789abcdef"),
            ("/(S(4hqa0555fwsecu455xqckv45))/a", "/a"),
            ("/(X(1)S(4hqa0555fwsecu455xqckv45))", "/"),
            ("/(4hqa0555fwsecu455xqckv45)/a.ASPX", "/a.ASPX"),
            ("/(4hqa0555fwsecu455xqckv45)/a", "/(4hqa0555fwsecu455xqckv45)/a"),
            ("/(S(short))/a", "/(S(short))/a"),
            ("/(X(1))/a", "/(X(1))/a"),
            ("/()/(/)", "/()/(/)"),
        ] {
            assert_eq!(path_without_sessions(path), wanted, "{path}");
        }
    }
}
