// What the document says about parameters of paths and queries.

export const PATH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  endpoint_id: "The webhook endpoint.",
  delivery_id: "The delivery.",
};

export const QUERY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  type: "Only messages of this type.",
};
