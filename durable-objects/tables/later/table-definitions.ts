// The schema as one definition for each table, so that tables can be made one by one.

export interface TableDefinition {
  readonly name: string;
  /** The statements that make it, with its indexes; without comments, which SQLite would keep in each session. */
  readonly statements: string;
  readonly columns: readonly string[];
}

const STATEMENT = /^CREATE (?:TABLE|INDEX \w+ ON) (\w+)/;
const CONSTRAINT = /^(?:PRIMARY KEY|UNIQUE|CHECK)\b/;
const OUTSIDE_OF_PARENTHESES = /,(?![^(]*\))/;

/** @param schema `CREATE TABLE` and `CREATE INDEX` statements with comments. @throws for another statement. */
export function definitionsOf(schema: string): ReadonlyMap<string, TableDefinition> {
  const definitions = new Map<string, TableDefinition>();
  for (const statement of statementsOf(schema)) {
    const name = STATEMENT.exec(statement)?.[1];
    if (name === undefined) throw new Error(`not the statement of a table: ${statement}`);
    const known = definitions.get(name);
    definitions.set(name, {
      name,
      statements: `${known?.statements ?? ""}${statement};\n`,
      columns: known?.columns ?? columnsOf(statement),
    });
  }
  return definitions;
}

/** The statements of a text, in one line each, without comments. No text in them may contain a semicolon. */
export function statementsOf(sql: string): readonly string[] {
  return sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
}

function columnsOf(statement: string): readonly string[] {
  return statement
    .slice(statement.indexOf("(") + 1, statement.lastIndexOf(")"))
    .split(OUTSIDE_OF_PARENTHESES)
    .map((column) => column.trim())
    .filter((column) => !CONSTRAINT.test(column))
    .map((column) => column.split(" ", 1)[0] ?? "");
}
