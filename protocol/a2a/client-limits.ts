// Limits of what is exchanged with agents of other systems over A2A. Each with its unit and its reason.

/** Characters of one frame of a stream: the protocol's own SDK refuses longer ones. */
export const MAX_REMOTE_FRAME_CHARACTERS = 4_194_304;
/** Bytes that an agent may send while one message is followed, over all connections: a flood ends here. */
export const MAX_REMOTE_BYTES = 10_000_000;
/** JSON values in one frame or answer, counted before it is parsed. */
export const MAX_REMOTE_VALUES = 50_000;
/** Levels of nesting in one frame or answer. */
export const MAX_REMOTE_DEPTH = 64;
/** Characters of an id that an agent gives to a task, a context or an artifact: it is sent back, and stands in addresses. */
export const MAX_REMOTE_ID_CHARACTERS = 1_024;
/** Artifacts of one task that are read; the others are left out. */
export const MAX_REMOTE_ARTIFACTS = 256;
/** Parts of one artifact or message that are read. Text that streams in as parts is one part here. */
export const MAX_REMOTE_PARTS = 10_000;
/** US dollars that an agent may tell for one task: more is a mistake, or a lie. */
export const MAX_TOLD_COST_USD = 10_000;
/** Characters of an agent's own words in a failure. */
export const MAX_REMOTE_MESSAGE_CHARACTERS = 500;
/** Characters of an agent's words about its work, on one line. */
export const MAX_REMOTE_PROGRESS_CHARACTERS = 2_000;

/** Milliseconds of one short request: a look at a task, a cancellation. */
export const REMOTE_REQUEST_MS = 20_000;
/** Milliseconds that an agent has for its first word to a message: one that streams nothing may take a model call for it. */
export const REMOTE_FIRST_MS = 120_000;
/** Milliseconds without an update after which nobody holds a connection for a task any more. */
export const REMOTE_SILENCE_MS = 60_000;
/** Milliseconds for which a connection to a task is held in all, however much it says: one that never ends is looked at. */
export const MAX_REMOTE_STREAM_MS = 600_000;
/** Times that the lost connection to one task is opened again. */
export const MAX_REMOTE_RESUBSCRIPTIONS = 5;
/** Milliseconds before a lost connection is opened again, times the number of the try. */
export const REMOTE_RESUBSCRIBE_DELAY_MS = 500;
/** Milliseconds between two looks at a task at first. One that takes hours is looked at less often. */
export const REMOTE_POLL_MS = 1_000;
/** Milliseconds between two looks at a task whose agent has taken an address of ours at first: what it posts makes us look. */
export const REMOTE_PUSHED_POLL_MS = 60_000;
/** Milliseconds between two such looks at most: the result of an agent that posts nothing is not late by more. */
export const MAX_REMOTE_PUSHED_POLL_MS = 300_000;
/** Milliseconds between two looks that posts of an agent make us take at least, however much it posts. */
export const REMOTE_PUSH_LOOK_MS = 1_000;
/** Milliseconds in which an agent takes an address of ours; without it the task is asked for. */
export const REMOTE_PUSH_CONFIG_MS = 10_000;
/** Characters of a secret that an agent posts with: ours have 43, and of longer ones nothing is computed. */
export const MAX_REMOTE_PUSH_SECRET_CHARACTERS = 100;
/** Agents of other systems whose last failure a tenant's object keeps: those of all its agents, of very many the newest. */
export const MAX_REMOTE_FAILURES = 1_000;
/** Contexts that the tools of a session keep: more than its agent has tools are of tools that it had. */
export const MAX_REMOTE_CONTEXTS = 128;
/** Questions of one task to people; an agent that asks in a loop is left. */
export const MAX_REMOTE_ROUNDS = 16;

/** Seconds that a question waits for a person when the tool does not say. */
export const DEFAULT_REMOTE_ANSWER_SECONDS = 3_600;
/** Seconds that a question may wait: nothing is held open meanwhile. */
export const MAX_REMOTE_ANSWER_SECONDS = 86_400;
