//! Languages: tags as declared, and the language of a text.
//!
//! Source: BCP 47 for tags; trigram profiles of whatlang 0.18.

/// Characters of a text that are looked at: more do not change the answer.
const DETECTED_CHARS: usize = 4_000;

/// Languages whose ISO 639-3 code has a two-letter code of ISO 639-1.
const SHORT: &[(&str, &str)] = &[
    ("afr", "af"),
    ("aka", "ak"),
    ("amh", "am"),
    ("ara", "ar"),
    ("aze", "az"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cmn", "zh"),
    ("cym", "cy"),
    ("dan", "da"),
    ("deu", "de"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("ind", "id"),
    ("ita", "it"),
    ("jav", "jv"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kat", "ka"),
    ("khm", "km"),
    ("kor", "ko"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("mkd", "mk"),
    ("mya", "my"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nob", "nb"),
    ("ori", "or"),
    ("pan", "pa"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rus", "ru"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("sna", "sn"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
    ("zul", "zu"),
];

/// The first language tag of `value`, lower-case with hyphens; none when it has no such form.
pub(super) fn tag(value: &str) -> Option<String> {
    let first = value.split(',').next().unwrap_or_default().trim();
    let tag = first.replace('_', "-").to_ascii_lowercase();
    let primary = tag.split('-').next().unwrap_or_default();
    let is_primary =
        matches!(primary.len(), 2..=3) && primary.bytes().all(|b| b.is_ascii_lowercase());
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (is_primary && tag.len() <= 35 && tag.bytes().all(is_sign)).then_some(tag)
}

/// The language of `text`; none when the detector does not call its answer reliable.
pub(super) fn detected(text: &str) -> Option<&'static str> {
    let end = text.char_indices().nth(DETECTED_CHARS).map_or(text.len(), |(at, _)| at);
    let found = whatlang::detect(text.get(..end).unwrap_or_default())?;
    let code = found.lang().code();
    let short = SHORT.iter().find(|(long, _)| *long == code).map(|(_, short)| *short);
    found.is_reliable().then_some(short.unwrap_or(code))
}
