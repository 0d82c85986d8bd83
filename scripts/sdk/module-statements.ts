// A formatted module as its top-level statements.

export interface Statement {
  /** The doc comment in front of it, with its line end; empty without one. */
  readonly comment: string;
  readonly text: string;
}

const STARTS = /^(?=(?:export|import|const|type|interface|function|async|class|let)\b)/m;

/**
 * Splits where a line begins with a keyword: the formatter indents everything inside a statement. Comments that
 * are no doc comments are dropped.
 */
export function splitStatements(source: string): readonly Statement[] {
  const pieces = source.split(STARTS);
  return pieces.slice(1).map((piece, index) => ({
    comment: /\/\*\*(?:(?!\*\/)[^])*\*\/\n$/.exec(pieces[index] ?? "")?.[0] ?? "",
    // The end of a piece is the comment of the next statement.
    text: piece.replace(/\n(?:\/\*\*|\/\/)[^]*$/, "\n").trimEnd(),
  }));
}

/** The names in the braces of an import or export, renamed or not, and the module. Null for any other statement. */
export function readImport(
  text: string,
): { readonly names: readonly string[]; readonly from: string } | null {
  const [, list, from] =
    /^(?:import|export)(?: type)? \{([^}]*)\} from "([^"]+)";/.exec(text) ?? [];
  if (list === undefined || from === undefined) return null;
  const names = list.split(",").map((name) => name.trim().replace(/^type /, ""));
  return { names: names.filter((name) => name !== ""), from };
}
