// The sentence with which a person is asked about a call, as a tool's definition gives it.
import * as z from "zod";

import { MAX_CONFIRMATION_MESSAGE_CHARACTERS, MAX_CONFIRMATION_PLACEHOLDERS } from "./limits.ts";
import { readTemplate, type TemplatePart } from "../words/read-template.ts";
import { didYouMean } from "../words/suggest-name.ts";

export const ConfirmationMessageSchema = z
  .string()
  .min(1)
  .max(MAX_CONFIRMATION_MESSAGE_CHARACTERS)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, {
    message: "is one line without control characters and without invisible ones",
  });

interface ToolQuestion {
  readonly confirmation_message?: string;
  readonly input_schema?: Readonly<Record<string, unknown>>;
}

/** Adds an issue for each template of a tool that cannot be read, or names a member that its input cannot have. */
export function refineConfirmationMessages(
  tools: readonly object[],
  context: z.RefinementCtx,
): void {
  for (const [index, tool] of tools.entries()) {
    const message = findMessageProblem(tool);
    if (message === null) continue;
    context.addIssue({ code: "custom", path: [index, "confirmation_message"], message });
  }
}

/** The problem of a tool's template, or null. */
export function findMessageProblem({
  confirmation_message,
  input_schema,
}: ToolQuestion): string | null {
  if (confirmation_message === undefined) return null;
  const template = readTemplate(confirmation_message);
  if (!template.ok) return template.problem;
  const paths = template.parts.filter((part) => typeof part !== "string");
  if (paths.length > MAX_CONFIRMATION_PLACEHOLDERS) {
    return `may have at most ${MAX_CONFIRMATION_PLACEHOLDERS} placeholders, has ${paths.length}`;
  }
  for (const path of paths) {
    const problem = findUnknownMember(path, input_schema);
    if (problem !== null) return problem;
  }
  return findDoubledBraces(template.parts, input_schema);
}

/** Follows `properties` only: where a schema does not list its members, any may be there. */
function findUnknownMember(path: readonly string[], schema: unknown): string | null {
  let within = schema;
  for (const name of path) {
    const members = propertiesOf(within);
    if (!members) return null;
    if (!Object.hasOwn(members, name)) {
      const suggestion = didYouMean(name, Object.keys(members));
      return `names {${path.join("/")}}, which input_schema does not have${suggestion}`;
    }
    within = members[name];
  }
  return null;
}

/** Other template languages have two braces, which are the characters themselves here. */
function findDoubledBraces(parts: readonly TemplatePart[], schema: unknown): string | null {
  const text = parts.map((part) => (typeof part === "string" ? part : "")).join("");
  const name = Object.keys(propertiesOf(schema) ?? {}).find((member) =>
    text.includes(`{${member}}`),
  );
  return name === undefined ? null : `has {{${name}}}; write {${name}}, with one brace`;
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return null;
  const { properties } = schema;
  return typeof properties === "object" && properties !== null
    ? (properties as Readonly<Record<string, unknown>>)
    : null;
}
