// Limits of files. Each with its unit and its reason.

/** Bytes of one file: the largest request body that every plan of the runtime passes on. */
export const MAX_FILE_BYTES = 100_000_000;
/** Bytes that a file counts as stored at least: its row, too, takes room. Triggers of D1 have the same number. */
export const COUNTED_FILE_BYTES = 4_096;
/** Bytes at the start of a file by which its type is recognised: the first entries of an office document fit. */
export const SNIFFED_BYTES = 4_096;
/** Bytes of one part of an upload of unknown length: R2 takes no smaller parts, and one is held in memory. */
export const FILE_PART_BYTES = 5_242_880;
/** Bytes read from an upload at a time. */
export const FILE_READ_BYTES = 65_536;
/**
 * Bytes that are given to R2 in one time slice: it copies and hashes them, which takes the bucket of the local tools
 * some 5 ms.
 */
export const BUCKET_SLICE_BYTES = 262_144;
/** Characters of a file's name; file systems allow 255 bytes. */
export const MAX_FILE_NAME_CHARACTERS = 255;
/** Milliseconds after which an upload that is not complete counts as abandoned: 100 MB at 10 KB a second. */
export const UPLOAD_ABANDONED_MS = 10_800_000;
/** Milliseconds after which the references of a fork that was never listed are dropped. */
export const REFERENCE_UNLISTED_MS = 3_600_000;
/** Files that one step of the sweep, of a session's deletion or of a tenant's erasure deletes: R2 takes 1,000 at once. */
export const MAX_ERASED_FILES = 500;
/** Stored objects that one step of the sweep compares with D1. */
export const MAX_COMPARED_OBJECTS = 200;
/** Milliseconds after which an object without a row is deleted: its upload is over or abandoned by then. */
export const OBJECT_UNKNOWN_MS = 86_400_000;
/** Seconds for which a link of a file is valid, unless the request says otherwise. */
export const DEFAULT_FILE_LINK_SECONDS = 900;
/** Maximum of it: a day, for a page that stays open. */
export const MAX_FILE_LINK_SECONDS = 86_400;
/** Different files that one request may name: each is looked up in D1, all in one statement. */
export const MAX_NAMED_FILES = 1_000;
/**
 * Characters of base64, 65,536 bytes, of media that stay in the log. Larger ones are stored as a file, whether a request,
 * a tool or a model brings them.
 */
export const MAX_INLINE_MEDIA_CHARACTERS = 87_384;
/**
 * Milliseconds after which the sweep asks a session whether its log names a file that a tool or a model has made: by
 * then the event is on disk, or was lost with its machine.
 */
export const MADE_FILE_ASKED_MS = 10_800_000;
/** Milliseconds until it asks again when a session could not say. */
export const MADE_FILE_ASKED_AGAIN_MS = 3_600_000;
/** Files that one step of the sweep asks about: each of their sessions may have to be woken. */
export const MAX_ASKED_FILES = 50;
/** Tries to store one file that a tool or a model has made: while R2 is down the reply goes on without it. */
export const MADE_MEDIA_TRIES = 3;
/** Milliseconds between two of them. */
export const MADE_MEDIA_RETRY_MS = 500;
/** Bytes of media in one model call: as base64 they are streamed, and providers refuse larger requests. */
export const MAX_CALL_MEDIA_BYTES = 20_000_000;
