import type { RouteName } from "../protocol/routes.ts";
import type { Example, Operation } from "../protocol/requests/contract.ts";

/**
 * The part of the document that one resource defines. Other resources may refer to its names (tags, schemas, examples,
 * parameters), so each name belongs to one resource; `resources.ts` combines them.
 */
export interface Resource {
  /** Tags of the document, each with a description. */
  readonly tags?: Readonly<Record<string, string>>;
  /** By route name. */
  readonly operations?: { readonly [Name in RouteName]?: Operation };
  /** By parameter name, for all paths with it. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** By parameter name, for all queries with it. */
  readonly queryParameters?: Readonly<Record<string, string>>;
  /**
   * By schema and path (`Agent.permission.mode`), or by field name for all schemas without a more exact entry. A
   * resource and its schemas for creation, change and requests share one name: see `describe-fields.ts`.
   */
  readonly fieldDescriptions?: Readonly<Record<string, string>>;
  /** Requests and answers of the refund desk. A test validates each against the schema of its operation. */
  readonly examples?: Readonly<Record<string, Example>>;
}
