// Limits of long-term memory. Each with its unit and its reason.

/** Characters of one memory: a fact is a sentence, and a note some pages. */
export const MAX_MEMORY_CHARACTERS = 8_000;
/** Characters of a memory's path. */
export const MAX_MEMORY_PATH_CHARACTERS = 200;
/** Memories that one call of the tool, one recording of a reply or one request writes. */
export const MAX_RECORDED_AT_ONCE = 32;
/** Memories of one store by default: what a person says of themselves in years. */
export const DEFAULT_MEMORIES_PER_STORE = 10_000;
/** Memories that a store can have at most: the bytes of an object hold so many of them. */
export const MAX_MEMORIES_PER_STORE = 100_000;
/** Memories that a search gives at most: each is in the model's context. */
export const MAX_RETRIEVED = 50;
/** Memories that a search gives when nothing else is said: AgentScope's number. */
export const DEFAULT_RETRIEVED = 5;
/** Keywords, or texts, of one search. */
export const MAX_MEMORY_KEYWORDS = 16;
/** Characters of one keyword, or of the part of an input that is searched with: its beginning. */
export const MAX_KEYWORD_CHARACTERS = 2_000;
/** Dimensions of an embedding: more than any known model has. */
export const MAX_EMBEDDING_DIMENSIONS = 4_096;
/** Words of a search that are looked for; of more, those that are longest, as they are rarest. */
export const MAX_SEARCHED_WORDS = 24;
/** Newest memories that are looked at for one form of a word: of a rarer word all, of a common one these. */
export const MEMORIES_OF_A_WORD = 200;
/** Common words of a search that are looked for together, each with the next one. */
export const MAX_COMMON_WORDS = 6;
/**
 * Words of a search, the rarest, whose beginnings and parts are looked for too: for each the index is read through for all
 * words that begin so, however many memories have them.
 */
export const MAX_LOOSE_WORDS = 8;
/** Candidates of a search that are ranked by their length too. */
export const RANKED_CANDIDATES = 200;
/** Letters of a word from which on its beginning is looked for too: "invoice" finds "invoices". */
export const MIN_STEM_LETTERS = 4;
/** Letters of a compound from which on its parts are in the index: "Krankenversicherung". */
export const MIN_COMPOUND_LETTERS = 10;
/** Letters of a part of a compound: "Versicherung". */
export const MIN_PART_LETTERS = 5;
/** Letters of a compound before its first part. */
export const MIN_PART_OFFSET = 3;
/** Parts of one compound in the index: one for each letter of the longest terms, nearly. */
export const MAX_PARTS_OF_A_WORD = 56;
/** Versions of one memory that are kept; with a further one the oldest goes. */
export const MAX_MEMORY_VERSIONS = 100;
/** Memories that a new one is compared with: the most similar ones. */
export const COMPARED_MEMORIES = 8;
/** Records whose outcomes a store keeps, the newest: a record is repeated within minutes. */
export const KEPT_RECORDS = 2_000;
/** Characters of memories that are written in one transaction, one memory at least: others are served before the next. */
export const RECORDED_CHARACTERS_AT_ONCE = 16_000;
/** Milliseconds before a size that could not be told to D1 is told again. */
export const STORE_REPORT_RETRY_MS = 60_000;
/** Milliseconds that a reply waits for its store to write. */
export const MEMORY_WRITE_MS = 10_000;
/** Milliseconds that a reply waits for a search, but for what it waits for itself. */
export const MEMORY_READ_MS = 10_000;
/** Memories on one page of an export. */
export const EXPORTED_AT_ONCE = 200;
/** Characters of the versions on such a page: with the memories well below the 32 MiB of one answer of an object. */
export const MAX_EXPORTED_CHARACTERS = 4_000_000;
/** Stores of a closed tenant that one step erases, each an object. */
export const ERASED_STORES_AT_ONCE = 50;
/** Stores that one step of the sweep erases. */
export const SWEPT_STORES = 25;
/** Milliseconds that an endpoint for embeddings has for a search: within the second that a reply waits for it. */
export const EMBED_SEARCH_MS = 600;
/** Milliseconds that an endpoint for embeddings has for texts that are stored: no reply waits for them. */
export const EMBED_STORED_MS = 15_000;
/** Texts of one request to it. */
export const EMBEDDED_AT_ONCE = 32;
/** Characters of a text, its beginning, once it has refused the whole one by itself: models read 512 tokens at least. */
export const SURELY_EMBEDDED_CHARACTERS = 400;
/** Bytes of its answer: so many texts with the largest vectors. */
export const MAX_EMBEDDING_ANSWER_BYTES = 4_000_000;
/** Milliseconds before memories are embedded behind a write, so that one request has those of some writes. */
export const EMBED_AFTER_MS = 500;
/** Milliseconds before an endpoint that has failed is asked again; twice as many after each further failure. */
export const EMBED_RETRY_MS = 60_000;
/** Milliseconds between questions to an endpoint that goes on failing: a typing error must not cost a request a minute for ever. */
export const MAX_EMBED_RETRY_MS = 60 * 60_000;
/** Milliseconds after which an object that was lost while it asked is woken for it again. */
export const EMBED_WATCH_MS = 60_000;
/** Milliseconds between looks at a suspended tenant, for which no endpoint is asked. */
export const EMBED_SUSPENDED_MS = 10 * 60_000;
/** Memories whose codes are nearest to that of a search: their vectors are compared. */
export const COMPARED_VECTORS = 200;
/**
 * The cosine from which on two texts are taken to mean something similar. Of most models those of unrelated texts are below
 * it; some give all texts a high one.
 */
export const DEFAULT_MIN_SIMILARITY = 0.3;
/** Memories that a search by meaning adds to one by words. */
export const RANKED_VECTORS = 50;
/** Bits of a code: signs of sums over a vector's dimensions. */
export const CODE_BITS = 512;
/** Codes of one row: 32 KB. */
export const CODES_OF_A_ROW = 512;
/** Characters of the memories that one hint, or one result of the tool, tells: a part of any window. */
export const MAX_RECALL_CHARACTERS = 16_000;
/** Milliseconds that a reply waits for what its input recalls, before it goes on without. */
export const RECALL_MS = 1_000;
/** Memories of one question to the store about which of those in the context are gone. */
export const MAX_ASKED_MEMORIES = 500;
/** Ids of deleted memories that a session keeps: those of hints that have left the context are of no use. */
export const MAX_REDACTED_KEPT = 500;
/** Characters of what was said in a reply that a recording's model is shown. */
export const MAX_SOURCE_CHARACTERS = 24_000;
/** Bytes of the messages that a recording reads: of larger ones nothing is remembered. */
export const MAX_SOURCE_BYTES = 2_000_000;
/** Memories near to what was said that a recording's model is shown. */
export const MAX_SHOWN_MEMORIES = 20;
/** Memories that one recording writes at most. */
export const MAX_MEMORIES_A_RECORDING = 8;
/** Characters of a memory that a recording writes: a fact is a sentence. */
export const MAX_NEW_MEMORY_CHARACTERS = 1_000;
/** Characters of an answer's problem, in an error. */
export const MAX_PROBLEM_CHARACTERS = 500;
/** Milliseconds that a recording's model has, with all tries. */
export const RECORDING_MS = 120_000;
/** Milliseconds after which a recording is looked at again: one that runs, that waits, or whose store did not answer. */
export const RECORDING_CHECK_MS = 30_000;
/** Milliseconds between looks at a recording of a tenant that is suspended. */
export const RECORDING_SUSPENDED_MS = 10 * 60_000;
/** Tries of a recording whose store does not answer. */
export const MAX_RECORDING_TRIES = 10;
/** Recordings that a session has waiting, as while its tenant is suspended: replies beyond them are not recorded. */
export const MAX_WAITING_RECORDINGS = 100;
/** Characters of a consolidation's instructions: some sentences. */
export const MAX_CONSOLIDATION_INSTRUCTIONS_CHARACTERS = 2_000;
/** Tokens that a consolidation may be bound to at least: those of one batch. */
export const MIN_CONSOLIDATION_TOKENS = 1_000;
/** Tokens that a consolidation may be bound to at most. */
export const MAX_CONSOLIDATION_TOKENS = 1_000_000_000;
/** Consolidations that a store keeps, the newest. */
export const KEPT_CONSOLIDATIONS = 100;
/** Memories that a batch goes over. */
export const CONSOLIDATED_AT_ONCE = 20;
/** Memories of the whole store that are shown beside each of them: the most similar ones. */
export const SIMILAR_TO_CONSOLIDATED = 3;
/** Characters of the memories of one batch: some thousand tokens. */
export const MAX_CONSOLIDATED_CHARACTERS = 24_000;
/** Changes that the model may propose for one batch: each takes two memories of it at least. */
export const MAX_CHANGES_OF_A_BATCH = 40;
/** Memories that one change may take into another one. */
export const MAX_REPLACED_AT_ONCE = 20;
/** Memories whose versions are kept behind the one that they were taken into; with a further one the oldest go. */
export const MAX_MERGED_KEPT = 100;
/** Of the words of a consolidated text so many have to be in the memories that it is made of. */
export const MIN_SUPPORTED_SHARE = 0.6;
/** Milliseconds that the model has for one batch, with all tries. */
export const CONSOLIDATION_BATCH_MS = 120_000;
/** Milliseconds after which a consolidation is looked at again: one that runs, or that waits for a quota or for D1. */
export const CONSOLIDATION_CHECK_MS = 30_000;
/** Milliseconds between looks at a consolidation of a suspended tenant. */
export const CONSOLIDATION_SUSPENDED_MS = 10 * 60_000;
/** Tries of one batch: an answer that cannot be used is asked for again. */
export const MAX_CONSOLIDATION_TRIES = 3;
