// Limits of validation: JSON Schemas, regular expressions and calls' inputs. A step is about one check of one value
// under one keyword, some ten nanoseconds. Steps are counted rather than timed, so that the same value always gets the
// same result.

/** Bytes of the JSON Schema of a structured output: stored once in the log, sent in every model call. */
export const MAX_STRUCTURED_SCHEMA_BYTES = 65_536;
/** Nesting of such a schema; generated ones rarely have ten levels. */
export const MAX_STRUCTURED_SCHEMA_DEPTH = 24;
/** Subschemas that apply to one value of such a schema, including references; each costs a check. */
export const MAX_SCHEMA_CHECKS = 1_000;
/**
 * Steps of validating one value against a JSON Schema, or all calls of one turn: a megabyte of ordinary data takes
 * half, and all take some 50 ms.
 */
export const MAX_CHECK_STEPS = 4_000_000;
/** Nesting of schemas during one validation, over all levels of the value: the runtime's stack allows more. */
export const MAX_CHECK_DEPTH = 500;
/** Problems reported by one validation; more only cost the model's tokens. */
export const MAX_CHECK_PROBLEMS = 5;
/** Characters of a name or a value within a problem's text. */
export const MAX_QUOTED_CHARACTERS = 200;
/** Characters of one regular expression in a schema: the longest in use, for URLs, have some 5,000. */
export const MAX_PATTERN_CHARACTERS = 8_192;
/** Nesting of groups in one pattern. */
export const MAX_PATTERN_DEPTH = 100;
/** Lookaheads and lookbehinds of one pattern: each is a separate pass over the text. */
export const MAX_PATTERN_LOOKS = 16;
/** Different Unicode properties, as in `\p{L}`, in one request's patterns: the runtime takes 0.2 ms to load one. */
export const MAX_PATTERN_PROPERTIES = 32;
/** States of a pattern's automaton with its repetitions expanded: `[a-z]{1,50000}` has as many. */
export const MAX_PATTERN_STATES = 100_000;
/** Cached transitions of an automaton before the cache is cleared: some megabytes. */
export const MAX_PATTERN_MEMORY = 20_000;
/** Characters of the pointer to a subschema: each is stored with its full pointer during validation. */
export const MAX_SCHEMA_POINTER_CHARACTERS = 2_000;
/** Bytes of a tool's schema as JSON: it is part of every model call. */
export const MAX_TOOL_SCHEMA_BYTES = 65_536;
/** Characters of a call's input: twice a model's output at its token limit. Parsing takes some 20 ms. */
export const MAX_CALL_INPUT_CHARACTERS = 1_000_000;
/**
 * Characters of invalid JSON that is repaired, divided by the square root of the turn's calls: the repair is quadratic
 * in the worst case, 5 ms at this length.
 */
export const MAX_REPAIRED_CHARACTERS = 4_096;
