// Interfaces that say a second time what a schema says.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import type * as z from "zod";

/** Fewer members are equal by chance. */
const MIN_MEMBERS = 3;
const INTERFACE = /^export interface (\w+)(?: extends [^{]*)? \{\n((?: .*\n|\n)+)\}$/gm;
const MEMBER = /^ {2}(?:readonly )?(\w+)\??:/gm;

/**
 * A line for each exported interface with the name of a schema, or with the members of one. An interface that extends
 * what zod infers has no members of its own, and a generic one has no schema.
 * @param sources The text of each production file by its path.
 * @param schemas The members of each exported schema by its name, none for a schema that is no object.
 */
export function findTwins(
  sources: ReadonlyMap<string, string>,
  schemas: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const byMembers = new Map(
    [...schemas].map(([name, members]) => [members.toSorted().join(), name] as const),
  );
  return [...sources].flatMap(([path, source]) =>
    [...source.matchAll(INTERFACE)].flatMap(([, name = "", body = ""]) => {
      const members = [...body.matchAll(MEMBER)].map(([, member = ""]) => member);
      const twin =
        members.length < MIN_MEMBERS ? undefined : byMembers.get(members.toSorted().join());
      if (schemas.has(`${name}Schema`)) return [`${path}: ${name} has the name of ${name}Schema`];
      return twin === undefined ? [] : [`${path}: ${name} has the members of ${twin}`];
    }),
  );
}

/**
 * The members of the schemas that files export.
 * @param paths Of files below `root`; those that do not import zod are passed over.
 */
export async function readSchemas(
  root: string,
  paths: Iterable<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const schemas = new Map<string, readonly string[]>();
  for (const path of paths) {
    if (!/from "zod"/.test(readFileSync(`${root}${path}`, "utf8"))) continue;
    const module = (await import(pathToFileURL(`${root}${path}`).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (isSchema(value)) schemas.set(name, Object.keys(shapeOf(value)));
    }
  }
  return schemas;
}

function isSchema(value: unknown): value is z.core.$ZodTypes {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function shapeOf({ _zod: { def } }: z.core.$ZodTypes): object {
  return def.type === "object" ? def.shape : {};
}
