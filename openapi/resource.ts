import type { z } from "zod";

import type { RouteName } from "../protocol/api/routes/routes.ts";
import type { Example } from "./document-types.ts";
import type { Operation } from "./operation.ts";

/**
 * The share of the document that one resource has. Any other resource may refer to what it names (a tag, a schema, an
 * example, a parameter), so each name belongs to one resource alone; `resources.ts` puts them together.
 */
export interface Resource {
  /** The headings of the document that begin here, with a text below each. */
  readonly tags?: Readonly<Record<string, string>>;
  /** By the name of the route. */
  readonly operations?: { readonly [Name in RouteName]?: Operation };
  /** By the parameter's name, for every path that has it. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** By the parameter's name, for every query that has it. */
  readonly queryParameters?: Readonly<Record<string, string>>;
  /**
   * The schemas that have a name in what clients send. What is named is written once and referred to. A schema has
   * another name here than among the answers where it takes less than it gives back.
   */
  readonly requestSchemas?: Readonly<Record<string, z.ZodType>>;
  /** The schemas that have a name in what clients get. */
  readonly answerSchemas?: Readonly<Record<string, z.ZodType>>;
  readonly schemaDescriptions?: Readonly<Record<string, string>>;
  /**
   * By schema and path (`Agent.permission.mode`), or by the field's own name for every schema that says nothing more
   * exact. A resource, its creation, its change and its form in requests have one name here: `describe-fields.ts`.
   */
  readonly fieldDescriptions?: Readonly<Record<string, string>>;
  /** Requests and answers of the refund desk. A test holds each to the schema of its operation. */
  readonly examples?: Readonly<Record<string, Example>>;
}
