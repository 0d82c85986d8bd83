// The part of OpenAPI 3.1 that the document uses.
import type { Example } from "../protocol/requests/contract.ts";

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Header {
  readonly description: string;
  /** False for a header that only some answers have. */
  readonly required?: false;
  readonly schema: JsonSchema;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** For a scheme of type http the names are roles; here they are the scopes that the caller needs. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Reference[];
  readonly requestBody?: {
    readonly required: true;
    readonly description: string;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  /** By HTTP status. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export type PathItem = { readonly [method: string]: OperationObject };

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly examples: Readonly<Record<string, Example>>;
  readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: JsonSchema;
  readonly jsonSchemaDialect: string;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

export function refTo(
  kind: keyof Components,
  name: string,
): { readonly $ref: `#/components/${keyof Components}/${string}` } {
  return { $ref: `#/components/${kind}/${name}` };
}
