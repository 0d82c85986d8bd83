// Sizes of the documentation: a page that a reader can oversee, paragraphs and cells that can be read in one go.
import { marked, type Token } from "marked";

const MAX_PAGE_BYTES = 20_000;
const MAX_PARAGRAPH_CHARACTERS = 600;
const MAX_CELL_CHARACTERS = 200;

/** Tables that a program writes are as long as what they list. */
const GENERATED = /<!-- [\w ]+: written by [^]*?<!-- end of [\w ]+ -->/g;

export interface DocsSizes {
  /** Pages, paragraphs and cells over their bounds. */
  readonly long: { readonly pages: number; readonly paragraphs: number; readonly cells: number };
  /** A line for each of them. */
  readonly problems: readonly string[];
}

/** @param pages The Markdown of each page by its path. */
export function measureDocs(pages: ReadonlyMap<string, string>): DocsSizes {
  const long = { pages: 0, paragraphs: 0, cells: 0 };
  const problems: string[] = [];
  for (const [path, source] of pages) {
    const written = source.replace(GENERATED, "");
    const bytes = new TextEncoder().encode(written).length;
    if (bytes > MAX_PAGE_BYTES) {
      long.pages += 1;
      problems.push(`${path} has ${bytes} bytes of ${MAX_PAGE_BYTES}: split it`);
    }
    for (const { kind, text } of textsIn(marked.lexer(written))) {
      const max = kind === "cells" ? MAX_CELL_CHARACTERS : MAX_PARAGRAPH_CHARACTERS;
      const { length } = text.replaceAll(/\s+/g, " ");
      if (length <= max) continue;
      long[kind] += 1;
      problems.push(`${path}: ${length} characters of ${max} in "${text.slice(0, 60)} …"`);
    }
  }
  return { long, problems };
}

interface MeasuredText {
  readonly kind: "paragraphs" | "cells";
  readonly text: string;
}

/** Paragraphs and cells, those in lists and quotations too; the text of an item of a list is a paragraph. */
function textsIn(tokens: readonly Token[]): readonly MeasuredText[] {
  return tokens.flatMap((token): readonly MeasuredText[] => {
    switch (token.type) {
      case "paragraph":
      case "text":
        return [{ kind: "paragraphs", text: token.raw }];
      case "table":
        return [token["header"], ...token["rows"]]
          .flat()
          .map(({ text }: { text: string }) => ({ kind: "cells", text }));
      case "list":
        return token["items"].flatMap((item: { tokens: Token[] }) => textsIn(item.tokens));
      case "blockquote":
        return textsIn(token.tokens ?? []);
      default:
        return [];
    }
  });
}
