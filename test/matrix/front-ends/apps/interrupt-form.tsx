import { useState, type FormEvent, type ReactNode } from "react";

/** The members of an interrupt that a form needs. */
export interface Waiting {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

interface FormProps {
  readonly interrupt: Waiting;
  /** The call in words, where a person has to see it. */
  readonly call?: string;
  /** Gets the payload of the answer. */
  readonly onAnswer: (payload: object) => void;
  /** Gets the code of a sign-in, which is no answer. Rejects with the words of a refusal. */
  readonly onSignIn: (connectionId: string, code: string) => Promise<void>;
}

/** The form for one interrupt: each kind is answered in its own way, and one that is not known not at all. */
export function InterruptForm(props: FormProps) {
  switch (props.interrupt.reason) {
    case "tool_call":
      return <Confirmation {...props} />;
    case "agentscope:external_execution":
      return <ExternalResult {...props} />;
    case "agentscope:elicitation":
      return <Questions {...props} />;
    case "agentscope:authorization_required":
      return <SignIn {...props} />;
    default:
      return <p>This page has no form for {props.interrupt.reason}.</p>;
  }
}

function Confirmation({ interrupt, call, onAnswer }: FormProps) {
  return (
    <section className="approval" aria-label="Approval">
      <p>{interrupt.message}</p>
      {call && <code>{call}</code>}
      <button onClick={() => onAnswer({ approved: true })}>Approve</button>
      <button onClick={() => onAnswer({ approved: false })}>Deny</button>
    </section>
  );
}

/** The result of work that is done elsewhere: the model reads it as the tool's. */
function ExternalResult({ interrupt, call, onAnswer }: FormProps) {
  const [output, setOutput] = useState("");
  return (
    <Form label="Result" onSubmit={() => onAnswer({ output })}>
      <p>{interrupt.message}</p>
      {call && <code>{call}</code>}
      <label>
        Result{" "}
        <textarea required value={output} onChange={(event) => setOutput(event.target.value)} />
      </label>
      <button>Send the result</button>
      <button
        type="button"
        onClick={() => onAnswer({ output: output || "It could not be done.", state: "error" })}
      >
        It failed
      </button>
    </Form>
  );
}

interface Question {
  readonly mode: "form" | "url";
  readonly message: string;
  readonly url?: string;
  readonly requested_schema?: {
    readonly properties?: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
  };
}

interface FieldSchema {
  readonly type?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title?: string }[];
  readonly items?: {
    readonly enum?: readonly string[];
    readonly anyOf?: readonly { readonly const: string; readonly title?: string }[];
  };
}

/** Questions of an MCP server in the middle of a call: fields to fill in, or a page to open. */
function Questions({ interrupt, onAnswer }: FormProps) {
  const questions = Object.entries(
    detailsOf<Record<string, Question>>(interrupt, "requests") ?? {},
  );
  function answer(action: "accept" | "decline" | "cancel", form?: HTMLFormElement): void {
    const responses = questions.map(([key, question]) => {
      const isFilled = action === "accept" && question.mode === "form" && form;
      return [
        key,
        { action, ...(isFilled && { content: contentOf(form, key, question) }) },
      ] as const;
    });
    const [only] = responses;
    onAnswer(
      responses.length === 1 && only ? only[1] : { responses: Object.fromEntries(responses) },
    );
  }
  return (
    <Form label="Question" onSubmit={(form) => answer("accept", form)}>
      <p>{String(detailsOf(interrupt, "server"))} asks:</p>
      {questions.map(([key, question]) => (
        <fieldset key={key}>
          <legend>{question.message}</legend>
          {question.mode === "url" && <OutsideLink url={question.url} />}
          {fieldsOf(question).map(([name, schema, isRequired]) => (
            <label key={name}>
              {schema.title ?? name} <Field name={`${key}.${name}`} {...{ schema, isRequired }} />
            </label>
          ))}
        </fieldset>
      ))}
      <button>Send the answer</button>
      <button type="button" onClick={() => answer("decline")}>
        Decline
      </button>
      <button type="button" onClick={() => answer("cancel")}>
        Cancel
      </button>
    </Form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
}

function Field({ name, schema, isRequired: required }: FieldProps) {
  const { type, default: initial } = schema;
  const isSeveral = type === "array";
  const plain = schema.enum ?? schema.items?.enum ?? [];
  const titled = schema.oneOf ?? schema.items?.anyOf ?? [];
  const options = [...plain.map((value) => ({ const: value, title: value })), ...titled];
  if (options.length > 0) {
    return (
      <select {...{ name, required }} multiple={isSeveral}>
        {!isSeveral && <option value="" />}
        {options.map(({ const: value, title }) => (
          <option key={value} value={value}>
            {title ?? value}
          </option>
        ))}
      </select>
    );
  }
  if (type === "boolean") return <input type="checkbox" name={name} />;
  const isNumber = type === "number" || type === "integer";
  return (
    <input
      {...{ name, required }}
      type={isNumber ? "number" : "text"}
      step={type === "integer" ? 1 : "any"}
      defaultValue={initial === undefined ? "" : String(initial)}
    />
  );
}

/** The values of a question's fields; one that was left empty is left out. */
function contentOf(form: HTMLFormElement, key: string, question: Question): object {
  const data = new FormData(form);
  const content = fieldsOf(question).flatMap(([name, { type }]): [string, unknown][] => {
    const given = data.getAll(`${key}.${name}`).map(String);
    if (type === "boolean") return [[name, given.length > 0]];
    if (type === "array") return given.length > 0 ? [[name, given]] : [];
    const [text = ""] = given;
    if (text === "") return [];
    return [[name, type === "number" || type === "integer" ? Number(text) : text]];
  });
  return Object.fromEntries(content);
}

function fieldsOf({ requested_schema }: Question) {
  const { properties = {}, required = [] } = requested_schema ?? {};
  return Object.entries(properties).map(
    ([name, schema]) => [name, schema, required.includes(name)] as const,
  );
}

/** A sign-in that a call waits for: it goes on with the code that the page at the end shows. A person may refuse. */
function SignIn({ interrupt, onAnswer, onSignIn }: FormProps) {
  const [code, setCode] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState("");
  async function finish(): Promise<void> {
    setIsBusy(true);
    setFailure("");
    try {
      await onSignIn(detailsOf<string>(interrupt, "connectionId") ?? "", code.trim());
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setIsBusy(false);
  }
  return (
    <Form label="Sign-in" onSubmit={() => void finish()}>
      <p>{interrupt.message}</p>
      <OutsideLink url={detailsOf<string>(interrupt, "url")} />
      <label>
        Code{" "}
        <input
          required
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </label>
      {failure && <p role="alert">{failure}</p>}
      <button disabled={isBusy}>Finish the sign-in</button>
      <button
        type="button"
        disabled={isBusy}
        onClick={() => onAnswer({ output: "The person did not sign in.", state: "error" })}
      >
        Do not sign in
      </button>
    </Form>
  );
}

/** A page of others: it opens in a tab of its own, which is told nothing of this one. */
function OutsideLink({ url = "" }: { readonly url?: string | undefined }) {
  if (!/^https?:/.test(url)) return null;
  return (
    <p>
      <a href={url} target="_blank" rel="noreferrer">
        Open {new URL(url).host}
      </a>
    </p>
  );
}

interface ShellProps {
  readonly label: string;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ReactNode;
}

function Form({ label, onSubmit, children }: ShellProps) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onSubmit(event.currentTarget);
  }
  return (
    <form className="approval" aria-label={label} onSubmit={submit}>
      {children}
    </form>
  );
}

/** A member of what the platform says about the interrupt. */
function detailsOf<Value>({ metadata }: Waiting, name: string): Value | undefined {
  const details = metadata?.["agentscope"] as Readonly<Record<string, unknown>> | undefined;
  return details?.[name] as Value | undefined;
}
