//! Whether a small difference turns a statement round: words of negation and pairs of opposites.
//!
//! Not grammar: suffixes that negate (Turkish -me, Finnish verbs) and prefixes (un-, in-) are not
//! seen, and a negation that a longer edit carries along is left to resemblance.
//!
//! Source: written for this project. Cost: a look-up a token of a hunk and of three around it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::super::difference::{Hunk, Words};
use super::super::text::{Rules, Text};
use super::number;

/// A hunk with more tokens on a side than this is no turn of one word.
const HUNK_MOST: usize = 5;

/// Tokens looked at around a hunk, for phrases that a hunk holds in part.
const AROUND: usize = 3;

/// Words that negate, on their own.
const NEGATIONS: &str = "not no never without cannot cant dont doesnt didnt isnt arent wasnt \
    wont neither nor none nobody nothing nicht kein keine keinen keinem keiner keines ohne nie \
    niemals nichts niemand ne n pas sans jamais aucun aucune rien ni sin nunca jamás nada \
    ningún ninguna ninguno tampoco não sem nenhum nenhuma non senza nessun nessuna nessuno niet \
    geen nooit zonder bez nigdy żaden brak не нет без ни никогда нельзя немає ні ніколи няма \
    nikdy není nejsou nesmí žádný nem nincs soha nélkül nu fără niciodată inte ej icke utan \
    aldrig ikke uden aldri uten ei eivät älä ilman ole değil yok hiç asla hayır không chưa \
    chẳng đừng tidak bukan tanpa jangan belum wala huwag hapana bila δεν δε μη μην όχι χωρίς \
    ποτέ לא אין בלי אל לעולם אסור لا ليس ليست لم لن غير بدون دون نه نیست هرگز نہیں نہ بغیر नहीं \
    न मत बिना না নয় নেই নাই ছাড়া இல்லை இல்லாமல் కాదు లేదు లేకుండా ಇಲ್ಲ അല്ല ഇല്ല નથી નહીં \
    ਨਹੀਂ නැත 안 못 ikkje nav nei nėra nije nisu nema brez";

/// Parts of texts without spaces that negate, wherever they stand.
const PHRASES: [&str; 20] = [
    "不",
    "没",
    "沒",
    "未",
    "無",
    "无",
    "勿",
    "禁",
    "ない",
    "なし",
    "ません",
    "않",
    "없",
    "아니",
    "ไม่",
    "ห้าม",
    "មិន",
    "គ្មាន",
    "ບໍ່",
    "ဘူး",
];

/// Pairs of opposites.
const OPPOSITES: &str = "enabled/disabled enable/disable true/false yes/no allowed/forbidden \
    allowed/prohibited allow/deny permitted/prohibited permitted/forbidden required/optional \
    mandatory/optional positive/negative safe/unsafe safe/dangerous on/off open/closed \
    opened/closed accept/reject accepted/rejected approved/rejected approved/denied \
    include/exclude included/excluded including/excluding with/without before/after above/below \
    more/less increase/decrease increased/decreased increases/decreases minimum/maximum \
    always/never valid/invalid legal/illegal possible/impossible available/unavailable \
    active/inactive public/private left/right up/down hot/cold win/lose won/lost buy/sell \
    guilty/innocent must/may supported/unsupported signed/unsigned aktiviert/deaktiviert \
    erlaubt/verboten ja/nein wahr/falsch mit/ohne positiv/negativ sicher/unsicher \
    gültig/ungültig geöffnet/geschlossen pflicht/optional möglich/unmöglich activé/désactivé \
    autorisé/interdit vrai/faux oui/non avec/sans positif/négatif obligatoire/facultatif \
    ouvert/fermé valide/invalide permitido/prohibido activado/desactivado verdadero/falso \
    con/sin positivo/negativo obligatorio/opcional abierto/cerrado seguro/inseguro sí/no \
    permitido/proibido ativado/desativado verdadeiro/falso com/sem obrigatório/opcional \
    aberto/fechado sim/não consentito/vietato attivato/disattivato vero/falso \
    obbligatorio/facoltativo aperto/chiuso sì/no toegestaan/verboden ingeschakeld/uitgeschakeld \
    waar/onwaar verplicht/optioneel met/zonder dozwolone/zabronione włączony/wyłączony \
    prawda/fałsz tak/nie obowiązkowe/opcjonalne разрешено/запрещено разрешён/запрещён \
    включено/выключено включен/выключен да/нет истина/ложь обязательно/необязательно \
    можно/нельзя открыт/закрыт положительный/отрицательный безопасно/опасно \
    дозволено/заборонено увімкнено/вимкнено так/ні povoleno/zakázáno zapnuto/vypnuto ano/ne \
    povinné/volitelné tillåtet/förbjudet aktiverad/inaktiverad ja/nej sant/falskt \
    tilladt/forbudt tillatt/forbudt sallittu/kielletty kyllä/ei tosi/epätosi \
    engedélyezett/tiltott igen/nem permis/interzis activat/dezactivat da/nu serbest/yasak \
    açık/kapalı evet/hayır doğru/yanlış diizinkan/dilarang aktif/nonaktif benar/salah \
    wajib/opsional bật/tắt đúng/sai επιτρέπεται/απαγορεύεται ναι/όχι ενεργό/ανενεργό מותר/אסור \
    כן/לא פעיל/כבוי مسموح/ممنوع نعم/لا مفعل/معطل صحيح/خطأ إيجابي/سلبي مجاز/ممنوع بله/خیر \
    فعال/غیرفعال अनुमत/निषिद्ध हाँ/नहीं सही/गलत सक्षम/अक्षम অনুমোদিত/নিষিদ্ধ হ্যাঁ/না \
    सुरक्षित/असुरक्षित 허용/금지 활성/비활성 참/거짓 필수/선택 예/아니오 긍정/부정";

/// The hashes of the words that negate.
static NEGATION: LazyLock<BTreeSet<u64>> =
    LazyLock::new(|| NEGATIONS.split_whitespace().map(folded).collect());

/// The hash of every word of a pair with its opposites.
static OPPOSITE: LazyLock<BTreeMap<u64, BTreeSet<u64>>> = LazyLock::new(|| {
    let mut opposites: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (left, right) in OPPOSITES.split_whitespace().filter_map(|pair| pair.split_once('/')) {
        let (left, right) = (folded(left), folded(right));
        opposites.entry(left).or_default().insert(right);
        opposites.entry(right).or_default().insert(left);
    }
    opposites
});

/// The hash of a word's first token; every word here is one, see the test.
fn folded(word: &str) -> u64 {
    let mut text = Text::new();
    text.normalise(Rules::V1, word);
    let mut words = Words::new();
    words.read(&text);
    words.hash(0)
}

/// Whether a hunk adds, removes or swaps a word of polarity.
pub(super) fn is_turned(left: &Words, right: &Words, hunk: &Hunk) -> bool {
    hunk.left.len().max(hunk.right.len()) <= HUNK_MOST
        && (negations(left, &hunk.left) != negations(right, &hunk.right)
            || phrases(left, &hunk.left) != phrases(right, &hunk.right)
            || is_opposed(left, right, hunk))
}

/// How many words of a run negate. "no. 5" counts no negation, "n't" is one.
fn negations(words: &Words, run: &Range<usize>) -> usize {
    let is_negation = |at: &usize| {
        let token = words.token(*at);
        let is_short = token == "t" && matches!(words.gap(*at), "'" | "’");
        // "No. 5" numbers; a lone "n" is a name, "n'est" is none.
        let is_other = match token {
            "no" => number::is_number(words.token(at + 1)),
            "n" => !words.gap(at + 1).starts_with(['\'', '’']),
            _ => false,
        };
        is_short || NEGATION.contains(&words.hash(*at)) && !is_other
    };
    run.clone().filter(is_negation).count()
}

/// How often a phrase stands in a run or a few tokens around it.
fn phrases(words: &Words, run: &Range<usize>) -> usize {
    let end = (run.end + AROUND).min(words.len());
    let text = words.run(run.start.saturating_sub(AROUND)..end);
    if text.is_ascii() {
        return 0;
    }
    PHRASES.iter().map(|phrase| text.matches(phrase).count()).sum()
}

fn is_opposed(left: &Words, right: &Words, hunk: &Hunk) -> bool {
    let opposites = hunk.left.clone().filter_map(|at| OPPOSITE.get(&left.hash(at)));
    let mut there = opposites.flatten();
    there.any(|word| hunk.right.clone().any(|at| right.hash(at) == *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_one_token() {
        let pairs = OPPOSITES.split_whitespace().map(|pair| pair.split_once('/').unwrap());
        let words = pairs.flat_map(|(left, right)| [left, right]);
        for word in words.chain(NEGATIONS.split_whitespace()) {
            let mut text = Text::new();
            text.normalise(Rules::V1, word);
            let mut tokens = 0;
            text.tokens(|_, _| tokens += 1);
            assert_eq!((tokens, word.contains('_')), (1, false), "{word}");
        }
    }
}
