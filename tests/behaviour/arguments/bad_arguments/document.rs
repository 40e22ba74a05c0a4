//! The document of the golden texts, read and written anew. A section is a row of it: a heading,
//! `Call of TOOL:` with the arguments in a fence, what others say, and what we say in a fence.

/// A call.
pub(super) struct Row {
    pub(super) title: String,
    pub(super) tool: String,
    /// The arguments as text, `{{x*9}}` written out.
    pub(super) call: String,
}

const OURS: &str = "\nWe say";

fn sections(document: &str) -> impl Iterator<Item = &str> {
    document.split("\n## ").skip(1)
}

/// The calls of the document.
pub(super) fn rows(document: &str) -> Vec<Row> {
    sections(document).map(row).collect()
}

fn row(section: &str) -> Row {
    let title = section.lines().next().unwrap().to_owned();
    let (_, from) = section.split_once("\nCall of `").expect(&title);
    let (tool, rest) = from.split_once('`').expect(&title);
    let (_, fenced) = rest.split_once("```").expect(&title);
    let (_, fenced) = fenced.split_once('\n').expect(&title);
    let (call, _) = fenced.split_once("```").expect(&title);
    Row {
        title,
        tool: tool.to_owned(),
        call: written_out(call.strip_suffix('\n').unwrap_or(call)),
    }
}

/// `{{x*9}}` stands for nine x.
fn written_out(text: &str) -> String {
    let mut all = String::new();
    let mut parts = text.split("{{");
    all.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let repeated = part.split_once("}}").and_then(|(inside, rest)| {
            let (what, count) = inside.rsplit_once('*')?;
            Some((what.repeat(count.parse().ok()?), rest))
        });
        match repeated {
            Some((repeated, rest)) => all.extend([repeated.as_str(), rest]),
            None => all.extend(["{{", part]),
        }
    }
    all
}

/// The document with what the forms say of each row.
pub(super) fn render(document: &str, answers: &[Vec<(&str, String)>]) -> String {
    let (start, _) = document.split_once("\n## ").unwrap_or((document, ""));
    let mut all = start.to_owned();
    for (section, answers) in sections(document).zip(answers) {
        let kept = section.split_once(OURS).map_or(section, |(kept, _)| kept);
        all.push_str("\n## ");
        all.push_str(kept.trim_end());
        all.push('\n');
        for (form, said) in answers {
            all.extend(["\n", form, "\n\n```text\n", said, "\n```\n"]);
        }
    }
    all
}
