// The sources of the SDK's package: those of sdk/ and what they import of protocol/, where a module with schemas keeps
// its types alone, written out. The bundler then finds no zod, in code as little as in types.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

import type * as z from "zod";

import { readImport, splitStatements, type Statement } from "./module-statements.ts";
import { printStructure, type Side } from "./print-schema-type.ts";
import { JSON_PATH, SchemaNames } from "./schema-names.ts";

/** A type of protocol/ that was written out, for the comparison with what zod infers. */
export interface PlainType {
  readonly path: string;
  readonly name: string;
  /** The schema and the side of it that the type describes. */
  readonly schema: string;
  readonly side: Side;
  /** Whether it is read-only all through, other than what zod infers. */
  readonly isFrozen: boolean;
}

const JSON_VALUE = `/** Any value of JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
`;
const TYPE_OF_SCHEMA =
  /^export (?:type (\w+) = |interface (\w+) extends (Frozen|Readonly)<)z\.(infer|input)<typeof (\w+)>(?:;|> \{\})$/;
const INLINE_TYPE = /\bz\.infer<typeof (\w+)>/g;

/**
 * Writes the sources below `target`, in the folders `sdk` and `protocol`.
 *
 * @param entries Modules by their paths from `root`.
 * @returns Every type that was written out.
 */
export async function writePlainSources(
  root: string,
  target: string,
  entries: readonly string[],
): Promise<readonly PlainType[]> {
  const sources = collectSources(root, entries);
  const schemaPaths = [...sources].filter(([, source]) => /from "zod"/.test(source));
  const names = new SchemaNames();
  for (const [path, source] of schemaPaths) await addNames(names, root, path, source);
  const plain: PlainType[] = [];
  for (const [path, source] of sources) {
    const isSchemas = /from "zod"/.test(source);
    const text = isSchemas ? toTypes(names, path, sources, plain) : nameInputs(names, source);
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(target, JSON_PATH), JSON_VALUE);
  return plain;
}

/** The entries and all that they import, by path. */
function collectSources(root: string, entries: readonly string[]): Map<string, string> {
  const sources = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (sources.has(path)) continue;
    const source = readFileSync(join(root, path), "utf8");
    sources.set(path, source);
    for (const [, from] of source.matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+)"/g)) {
      waiting.push(join(dirname(path), from ?? ""));
    }
  }
  return sources;
}

async function addNames(names: SchemaNames, root: string, path: string, source: string) {
  const module = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>;
  const declared = { infer: new Map<string, string>(), input: new Map<string, string>() };
  const frozen = new Set<string>();
  for (const { text } of splitStatements(source)) {
    const [, type, answer, modifier, kind, schema = ""] = TYPE_OF_SCHEMA.exec(text) ?? [];
    if (modifier === "Frozen") frozen.add(schema);
    if (kind === "infer" || kind === "input") declared[kind].set(schema, type ?? answer ?? "");
  }
  const taken = new Set([...declared.infer.values(), ...declared.input.values()]);
  for (const [name, value] of Object.entries(module)) {
    if (!isSchema(value) || !new RegExp(`\\bconst ${name}\\b`).test(source)) continue;
    const base = name.replace(/Schema$/, "");
    const input = declared.input.get(name);
    names.add(name, {
      schema: value,
      path,
      output: declared.infer.get(name) ?? null,
      isFrozen: frozen.has(name),
      input: input ?? (taken.has(`${base}Input`) ? `${base}Written` : `${base}Input`),
      hasInput: input !== undefined,
    });
  }
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

/** A module with schemas as its types. */
function toTypes(
  names: SchemaNames,
  path: string,
  sources: ReadonlyMap<string, string>,
  plain: PlainType[],
): string {
  const source = sources.get(path) ?? "";
  const statements = splitStatements(source);
  const constants = new Map(
    statements.flatMap((statement) => {
      const [, name] = /^(?:export )?const (\w+)/.exec(statement.text) ?? [];
      return name === undefined ? [] : [[name, statement] as const];
    }),
  );
  const used = new Map<string, string>();
  const use = (name: string, from: string) => void (from !== path && used.set(name, from));

  /** The source of a schema with that of the parts that it takes from other modules: their members have comments too. */
  function withSpread(text: string): string {
    const parts = [...text.matchAll(/\.\.\.([A-Z][A-Z_]+)\b/g)].map(([, name = ""]) =>
      constants.has(name) ? "" : importedSource(name),
    );
    return [text, ...parts].join("\n");
  }

  function importedSource(name: string): string {
    const read = statements.map(({ text }) => readImport(text));
    const from = read.find((one) => one?.names.includes(name))?.from;
    const other = from === undefined ? "" : (sources.get(join(dirname(path), from)) ?? "");
    const own = splitStatements(other).find(({ text }) => text.startsWith(`export const ${name} `));
    return own?.text ?? "";
  }

  function declare(
    name: string,
    { schema, side, isFrozen = false }: Pick<PlainType, "schema" | "side"> & { isFrozen?: boolean },
    comment: string,
  ): string {
    const named = names.get(schema);
    if (!named) throw new TypeError(`${path}: ${schema} is not exported, so ${name} has no type`);
    const constant = constants.get(schema);
    const commentOf = commentsIn(withSpread(constant?.text ?? ""));
    const context = names.context(side, use, { commentOf, isFrozen });
    const type = printStructure(named.schema, context);
    plain.push({ path, name, schema, side, isFrozen });
    const about = comment || aboutType(constant?.comment ?? "");
    // An answer is an interface in the source too, so that errors and editors name it.
    return isFrozen && type.startsWith("{")
      ? `${about}export interface ${name} ${type}`
      : `${about}export type ${name} = ${type};`;
  }

  function toType({ comment, text }: Statement): readonly string[] {
    const [, type, answer, frozen, kind, schema = ""] = TYPE_OF_SCHEMA.exec(text) ?? [];
    const side = kind === "input" ? "input" : "output";
    const isFrozen = frozen !== undefined;
    if (kind) return [declare(type ?? answer ?? "", { schema, side, isFrozen }, comment)];
    const [, constant = ""] = /^export const (\w+)/.exec(text) ?? [];
    const named = names.get(constant);
    if (named && !named.hasInput && !(named.output !== null && names.isSymmetric(named))) {
      return [declare(named.input, { schema: constant, side: "input" }, aboutType(comment))];
    }
    if (!/^(?:export )?(?:type|interface) (?!\{)/.test(text)) return [];
    return [comment + text.replace(INLINE_TYPE, (_, schema: string) => inline(schema))];
  }

  function inline(schema: string): string {
    const named = names.get(schema);
    if (!named) throw new TypeError(`${path}: ${schema} is not exported`);
    const commentOf = commentsIn(constants.get(schema)?.text ?? "");
    const context = names.context("output", use, { commentOf });
    return context.nameOf(named.schema, "output") ?? printStructure(named.schema, context);
  }

  const types = statements.flatMap((statement) => {
    try {
      return toType(statement);
    } catch (error) {
      // A type that the SDK does not use may be missing; of one that it uses the compiler says so.
      if (error instanceof TypeError) return [`// ${error.message}`];
      throw error;
    }
  });
  const text = types.join("\n\n");
  const kept = [...constants]
    .filter(([name]) => new RegExp(`\\btypeof ${name}\\b`).test(text))
    .map(([, constant]) => constant.text);
  const body = [...kept, text].join("\n\n");
  return `${importsOf(statements, path, body, used)}\n${body}\n`;
}

/** A schema's comment without the tag that says that its export is for the package. */
function aboutType(comment: string): string {
  return comment.replace(/\/\*\* @public \*\/\n/, "").replace(/\s*(?:\* )?@public(?=\s)/, "");
}

/** Imports of the module that its types use, and the types that took the place of schemas. */
function importsOf(
  statements: readonly Statement[],
  path: string,
  body: string,
  used: ReadonlyMap<string, string>,
): string {
  const lines: string[] = [];
  const found = new Set<string>();
  for (const { text } of statements) {
    const read = readImport(text);
    if (!read || read.from === "zod") continue;
    const isExport = text.startsWith("export");
    if (isExport && !text.startsWith("export type")) continue;
    const names = isExport ? read.names : read.names.filter((name) => hasWord(body, name));
    if (names.length === 0) continue;
    if (!isExport) for (const name of names) found.add(name);
    lines.push(
      `${isExport ? "export" : "import"} type { ${names.join(", ")} } from "${read.from}";`,
    );
  }
  for (const [name, from] of used) {
    if (found.has(name)) continue;
    const address = relative(dirname(path), from);
    lines.push(
      `import type { ${name} } from "${address.startsWith(".") ? address : `./${address}`}";`,
    );
  }
  return lines.join("\n");
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}

/** The doc comments of members in the source of a schema; a member that is there twice has none. */
function commentsIn(source: string): (member: string) => string {
  const comments = new Map<string, string>();
  for (const [, comment = "", name = ""] of source.matchAll(
    /(\/\*\*(?:(?!\*\/)[^])*\*\/\s*)(\w+)\b/g,
  )) {
    comments.set(name, comments.has(name) ? "" : comment);
  }
  return (member) => comments.get(member) ?? "";
}

/** A module of the SDK, with a type's name in place of `InputOf` a schema. */
function nameInputs(names: SchemaNames, source: string): string {
  const inputs = new Map<string, string>();
  const text = source.replace(/\bInputOf<typeof (\w+)>/g, (_, schema: string) => {
    const named = names.get(schema);
    if (!named) throw new TypeError(`${schema} is not exported`);
    const name = names.nameOf(named, "input") ?? named.input;
    inputs.set(schema, name);
    return name;
  });
  if (inputs.size === 0) return source;
  return text.replace(/^import type \{[^}]*\} from "[^"]+";$/gm, (statement) => {
    const read = readImport(statement);
    const renamed = new Set(read?.names.map((name) => inputs.get(name) ?? name));
    renamed.delete("InputOf");
    return read && renamed.size > 0
      ? `import type { ${[...renamed].join(", ")} } from "${read.from}";`
      : "";
  });
}
