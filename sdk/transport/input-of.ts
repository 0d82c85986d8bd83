/** The input type of a schema: members with a default are optional. Types only. */
export type InputOf<Schema extends { readonly _zod: { readonly input: unknown } }> =
  Schema["_zod"]["input"];
