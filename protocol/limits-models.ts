// Limits of what a model may bring into a reply and make the platform read. Each with its unit and its reason.

/** Characters of the tools' names that a model is told which has called one that is not there. */
export const MAX_LISTED_TOOL_CHARACTERS = 1_000;
