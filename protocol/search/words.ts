// Words of fields that the schemas of this room have.
export const SEARCH_WORDS = {
  "SessionSearch.enabled":
    "Whether sessions can be searched. Off, the index is erased and nothing is indexed; on again, it is made anew by the next search.",
  "SessionSearch.stored_bytes":
    "The size of the index, which counts in the quota `stored_bytes`; 0 before the first search.",
} as const;
