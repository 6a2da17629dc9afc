//! Headers of an answer in one form, whatever form they came in.

/// Bytes that are kept of the headers of a row.
pub(super) const HEADERS_BYTES: usize = 64 << 10;

/// The headers of one row: lines `name: value` in the order given, names in lower case.
///
/// A name that no header can have is passed over, `:status` for one. In values CR, LF and NUL
/// become spaces. What would exceed [`HEADERS_BYTES`] is left out.
#[derive(Debug, Default)]
pub(super) struct Headers {
    lines: String,
    pub(super) is_cut: bool,
}

impl Headers {
    /// Forgets the headers, for the next row.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.is_cut = false;
    }

    /// The lines, if there are any.
    pub(super) fn lines(&self) -> Option<&str> {
        (!self.lines.is_empty()).then_some(self.lines.as_str())
    }

    /// The first value of `name`, which is in lower case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let named = |line: &'_ str| line.split_once(": ").is_some_and(|(found, _)| found == name);
        let line = self.lines.lines().find(|line| named(line))?;
        line.split_once(": ").map(|(_, value)| value)
    }

    /// Adds a header.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        let (name, value) = (name.trim(), value.trim());
        let wrong = |letter: char| !letter.is_ascii_graphic() || letter == ':';
        if name.is_empty() || name.contains(wrong) {
            return;
        }
        let length = name.len().saturating_add(value.len()).saturating_add(3);
        if self.lines.len().saturating_add(length) > HEADERS_BYTES {
            self.is_cut = true;
            return;
        }
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        self.lines.extend(name.chars().map(|letter| letter.to_ascii_lowercase()));
        self.lines.push_str(": ");
        let clean = |letter| if ['\r', '\n', '\0'].contains(&letter) { ' ' } else { letter };
        self.lines.extend(value.chars().map(clean));
    }

    /// Adds the headers of a block as it goes over the wire; a line that begins with white space
    /// goes on with the value before it.
    pub(super) fn push_block(&mut self, block: &str) {
        let mut open: Option<(&str, String)> = None;
        for line in block.split('\n').map(|line| line.trim_end_matches('\r')) {
            if let Some((_, value)) = open.as_mut().filter(|_| line.starts_with([' ', '\t'])) {
                value.push(' ');
                value.push_str(line.trim());
                continue;
            }
            if let Some((name, value)) = open.take() {
                self.push(name, &value);
            }
            let is_status = line.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("http/"));
            let pair = line.split_once(':').filter(|_| !is_status);
            open = pair.map(|(name, value)| (name, value.trim().to_owned()));
        }
        if let Some((name, value)) = open {
            self.push(name, &value);
        }
    }
}
