/** What a schema of the contract takes: members with a default may be left out. Types only. */
export type InputOf<Schema extends { readonly _zod: { readonly input: unknown } }> =
  Schema["_zod"]["input"];
