// What checking a value that comes from outside may cost. A step is about what one look at one value under one keyword
// takes: some ten nanoseconds. Steps are counted and not timed, so that the same value always gets the same answer.

/** Bytes of the JSON Schema of a structured output; it stands in the log once and in every model call. */
export const MAX_STRUCTURED_SCHEMA_BYTES = 65_536;
/** Levels of schemas within such a schema; generated ones rarely have ten. */
export const MAX_STRUCTURED_SCHEMA_DEPTH = 24;
/** Schemas that such a schema may ask of one value, references followed; each costs a check. */
export const MAX_SCHEMA_CHECKS = 1_000;
/** Steps of one check of a value against a JSON Schema, or of those of all calls of one turn: an honest megabyte takes half, and all are gone in some 50 ms. */
export const MAX_CHECK_STEPS = 4_000_000;
/** Schemas within schemas that one check follows at once, for all levels of the value: the runtime's stack bears more. */
export const MAX_CHECK_DEPTH = 500;
/** Problems of a check that are told; more only cost the model's tokens. */
export const MAX_CHECK_PROBLEMS = 5;
/** Characters of a name or a value within a problem's text. */
export const MAX_QUOTED_CHARACTERS = 200;
/** Characters of one regular expression in a schema: the longest in use, for addresses of the web, have some 5,000. */
export const MAX_PATTERN_CHARACTERS = 8_192;
/** Groups within groups of one. */
export const MAX_PATTERN_DEPTH = 100;
/** Times that one looks ahead or behind: each is a pass over the text of its own. */
export const MAX_PATTERN_LOOKS = 16;
/** Different properties of Unicode, as in `\p{L}`, of one request's patterns: the runtime takes 0.2 ms to know one. */
export const MAX_PATTERN_PROPERTIES = 32;
/** States of the machine that one becomes, its repetitions written out: `[a-z]{1,50000}` has as many. */
export const MAX_PATTERN_STATES = 100_000;
/** Ways from state to state that a machine remembers before it starts over: some megabytes. */
export const MAX_PATTERN_MEMORY = 20_000;
/** Characters of the pointer to a schema within another: each is kept with its whole pointer while they are checked. */
export const MAX_SCHEMA_POINTER_CHARACTERS = 2_000;
/** Bytes of a tool's schema as JSON: it is a part of every model call. */
export const MAX_TOOL_SCHEMA_BYTES = 65_536;
/** Characters of a call's input: twice what a model writes at its token limit. Parsing takes some 20 ms. */
export const MAX_CALL_INPUT_CHARACTERS = 1_000_000;
/** Characters of broken JSON that is repaired, by the square root of the turn's calls: the repair is quadratic where it is bad, and this long takes it 5 ms. */
export const MAX_REPAIRED_CHARACTERS = 4_096;
