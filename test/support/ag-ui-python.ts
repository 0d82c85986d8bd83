// The event models of AG-UI's Python SDK (package ag-ui-protocol), transcribed from `sdks/python/ag_ui/core/events.py` and
// `types.py` of ag-ui-protocol/ag-ui: what a released version requires of a frame. Members that a model does not name
// are allowed everywhere (`extra="allow"`); names are camelCase (`alias_generator=to_camel`).
//
// - 0.1.10 is commit fc74be5, 0.1.13 is f6ebe07, 0.1.19 the tag ag-ui-protocol@0.1.19, 0.1.20 is 821b8c2.
// - Up to 0.1.19 `RunAgentInput.state` and `.forwarded_props` are `Any` without a default, which pydantic requires; in
//   0.1.20 the state has one.
// - The events of reasoning came with 0.1.11, with the role "assistant", which 0.1.14 made "reasoning", as in TypeScript.
// - Up to 0.1.14 a user's message holds text and `binary` parts, up to 0.1.13 a tool has `parameters`.

export const PYTHON_VERSIONS = ["0.1.10", "0.1.13", "0.1.19", "0.1.20"] as const;
export type PythonVersion = (typeof PYTHON_VERSIONS)[number];

/** Problems of a value, each with its path; nothing when it is taken. */
type Check = (value: unknown, path: string) => readonly string[];

interface Member {
  readonly check: Check;
  readonly isRequired: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Checks = Readonly<Record<string, Check>>;

function expecting(what: string, isTaken: (value: unknown) => boolean): Check {
  return (value, path) => (isTaken(value) ? [] : [`${path}: expected ${what}`]);
}

const text = expecting("a string", (value) => typeof value === "string");
const filled = expecting("a string that is not empty", (value) => Boolean(value) && isText(value));
const int = expecting("an integer", (value) => Number.isSafeInteger(value));
const count = expecting(
  "an integer from 0",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const bool = expecting("a boolean", (value) => typeof value === "boolean");
const dict = expecting("an object", isFields);
const any: Check = () => [];

function literal(...values: readonly string[]): Check {
  return expecting(values.join(" or "), (value) => isText(value) && values.includes(value));
}

function list(check: Check, least = 0): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return [`${path}: expected a list`];
    const short = value.length < least ? [`${path}: expected ${least} or more`] : [];
    return [...short, ...value.flatMap((each, index) => check(each, `${path}[${index}]`))];
  };
}

function either(...checks: readonly Check[]): Check {
  return (value, path) => {
    const problems = checks.map((check) => check(value, path));
    return problems.some(({ length }) => length === 0) ? [] : problems.flat();
  };
}

/** Members of a model. Those of `optional` may be left out, and may be null. */
function model(required: Checks, optional: Checks = {}): Check {
  const members = new Map<string, Member>([
    ...Object.entries(required).map(
      ([name, check]) => [name, { check, isRequired: true }] as const,
    ),
    ...Object.entries(optional).map(
      ([name, check]) => [name, { check, isRequired: false }] as const,
    ),
  ]);
  return (value, path) => {
    if (!isFields(value)) return [`${path}: expected an object`];
    return [...members].flatMap(([name, { check, isRequired }]) => {
      const member = value[name];
      if (!Object.hasOwn(value, name)) return isRequired ? [`${path}.${name}: is required`] : [];
      if (member === null && !isRequired) return [];
      return check(member, `${path}.${name}`);
    });
  };
}

/** One of several models, chosen by a member. */
function union(discriminator: string, models: Checks): Check {
  return (value, path) => {
    const name = isFields(value) ? value[discriminator] : undefined;
    const chosen = isText(name) && Object.hasOwn(models, name) ? models[name] : undefined;
    return chosen ? chosen(value, path) : [`${path}.${discriminator}: there is no ${String(name)}`];
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The event of this version, as its discriminated union takes it. */
function eventOf(version: PythonVersion): Check {
  const is = (...versions: readonly PythonVersion[]) => versions.includes(version);
  const isOldest = is("0.1.10");
  const isOld = isOldest || is("0.1.13");
  const delta = isOld ? filled : text;

  const metadata: Checks = is("0.1.20") ? { metadata: dict } : {};
  const encrypted: Checks = isOldest ? {} : { encryptedValue: text };

  const source = union("type", {
    data: model({ value: text, mimeType: text }),
    url: model({ value: text }, { mimeType: text }),
  });
  const media = model({ source }, { metadata: any });
  const part = union("type", {
    text: model({ text }),
    binary: model({ mimeType: text }, { id: text, url: text, data: text, filename: text }),
    ...(!isOld && { image: media, audio: media, video: media, document: media }),
  });
  const call = model(
    { id: text, function: model({ name: text, arguments: text }) },
    { type: literal("function"), ...encrypted, ...metadata },
  );
  const base = { name: text, ...encrypted, ...metadata };
  const message = union("role", {
    developer: model({ id: text, content: text }, base),
    system: model({ id: text, content: text }, base),
    assistant: model({ id: text }, { content: text, toolCalls: list(call), ...base }),
    user: model({ id: text, content: either(text, list(part)) }, base),
    tool: model(
      { id: text, content: text, toolCallId: text },
      { error: text, ...encrypted, ...metadata },
    ),
    activity: model({ id: text, activityType: text, content: dict }, metadata),
    ...(!isOldest && {
      reasoning: model({ id: text, content: text }, { ...encrypted, ...metadata }),
    }),
  });

  const context = model({ description: text, value: text });
  const tool = model(
    { name: text, description: text, ...(isOld && { parameters: any }) },
    { parameters: any },
  );
  const resumed = model(
    { interruptId: text, status: literal("resolved", "cancelled") },
    { payload: any, ...metadata },
  );
  const input = model(
    {
      threadId: text,
      runId: text,
      ...(!is("0.1.20") && { state: any }),
      messages: list(message),
      tools: list(tool),
      context: list(context),
      forwardedProps: any,
    },
    { parentRunId: text, ...(!isOld && { resume: list(resumed) }) },
  );

  const interrupt = model(
    { id: text, reason: text },
    { message: text, toolCallId: text, responseSchema: dict, expiresAt: text, metadata: dict },
  );
  const outcome = union("type", {
    success: model({}),
    interrupt: model({ interrupts: list(interrupt, 1) }),
  });
  const usage = list(
    model(
      {},
      {
        provider: text,
        model: text,
        inputTokens: count,
        outputTokens: count,
        totalTokens: count,
        reasoningTokens: count,
        cachedInputTokens: count,
      },
    ),
  );
  const counted: Checks = is("0.1.20") ? { usage } : {};

  const event = (required: Checks, optional: Checks = {}) =>
    model(required, { timestamp: int, rawEvent: any, ...metadata, ...optional });
  const role = literal("developer", "system", "assistant", "user");
  const named: Checks = isOld ? {} : { name: text };
  const run = { threadId: text, runId: text };
  return union("type", {
    TEXT_MESSAGE_START: event({ messageId: text }, { role, ...named }),
    TEXT_MESSAGE_CONTENT: event({ messageId: text, delta }),
    TEXT_MESSAGE_END: event({ messageId: text }),
    TOOL_CALL_START: event({ toolCallId: text, toolCallName: text }, { parentMessageId: text }),
    TOOL_CALL_ARGS: event({ toolCallId: text, delta: text }),
    TOOL_CALL_END: event({ toolCallId: text }),
    TOOL_CALL_RESULT: event(
      { messageId: text, toolCallId: text, content: text },
      { role: literal("tool") },
    ),
    STATE_SNAPSHOT: event({ snapshot: any }),
    STATE_DELTA: event({ delta: list(any) }),
    MESSAGES_SNAPSHOT: event({ messages: list(message) }),
    ACTIVITY_SNAPSHOT: event(
      { messageId: text, activityType: text, content: any },
      { replace: bool },
    ),
    ACTIVITY_DELTA: event({ messageId: text, activityType: text, patch: list(any) }),
    RAW: event({ event: any }, { source: text }),
    CUSTOM: event({ name: text, value: any }),
    RUN_STARTED: event(run, { parentRunId: text, input }),
    RUN_FINISHED: event(run, { result: any, ...(!isOld && { outcome }), ...counted }),
    RUN_ERROR: event({ message: text }, { code: text, ...counted }),
    STEP_STARTED: event({ stepName: text }),
    STEP_FINISHED: event({ stepName: text }),
    ...(!isOldest && {
      REASONING_START: event({ messageId: text }),
      REASONING_MESSAGE_START: event({
        messageId: text,
        role: isOld ? literal("assistant") : literal("reasoning"),
      }),
      REASONING_MESSAGE_CONTENT: event({ messageId: text, delta }),
      REASONING_MESSAGE_END: event({ messageId: text }),
      REASONING_END: event({ messageId: text }),
      REASONING_ENCRYPTED_VALUE: event({
        subtype: literal("tool-call", "message"),
        entityId: text,
        encryptedValue: text,
      }),
    }),
  });
}

const EVENTS = new Map(PYTHON_VERSIONS.map((version) => [version, eventOf(version)] as const));

/** Problems that the models of that version find in an event; nothing when they take it. */
export function pythonProblems(version: PythonVersion, event: unknown): readonly string[] {
  return EVENTS.get(version)?.(event, "event") ?? [`there is no version ${version}`];
}
