// The snippets of a page of documentation, with what comments above them say:
// `<!-- expect: TEXT -->` is in the output of the snippet, `<!-- not run: REASON -->` leaves it out, `<!-- run -->` runs
// it on a page whose snippets are only checked otherwise.

export interface Snippet {
  readonly language: string;
  readonly code: string;
  /** Of its first line. */
  readonly line: number;
  readonly expected: readonly string[];
  readonly reason: string | null;
  readonly isMarked: boolean;
}

export function readSnippets(page: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  const pattern = /((?:<!--.*?-->\n)*)```(\w*)\n([^]*?)\n?```(?:\n|$)/g;
  for (const match of page.matchAll(pattern)) {
    const [, comments = "", language = "", code = ""] = match;
    const values = (name: string) =>
      [...comments.matchAll(new RegExp(`<!-- ${name}: (.*?) -->`, "g"))].map(
        ([, text = ""]) => text,
      );
    snippets.push({
      language,
      code,
      line: page.slice(0, match.index + comments.length).split("\n").length + 1,
      expected: values("expect"),
      reason: values("not run")[0] ?? null,
      isMarked: comments.includes("<!-- run -->"),
    });
  }
  return snippets;
}
