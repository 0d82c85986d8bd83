import { CircleStop, ListEnd, Paperclip, SendHorizontal } from "lucide-react";
import { memo, useRef, useState, type ClipboardEvent, type DragEvent } from "react";

import type { ReplyRequestOptions } from "../../../../sdk/index.ts";
import type { MessageDraft } from "../../../../sdk/react/index.ts";
import { useMay } from "../../../access/access-context.ts";
import { Attachments } from "./attachments.tsx";
import { readJsonObject } from "../read-json-object.ts";
import { StructuredField } from "./structured-field.tsx";

interface ComposerProps {
  /** Whether a reply runs or waits: a message is queued then. */
  readonly isBusy: boolean;
  readonly hasQueued: boolean;
  /** Resolves with false when the message has to stay here. */
  readonly onSend: (draft: MessageDraft, options: ReplyRequestOptions) => Promise<boolean>;
  readonly onStop: (queued: "keep" | "drop") => void;
}

/** Field for the next message: text, pictures and files, and the schema of a structured answer. */
export const Composer = memo(function Composer({
  isBusy,
  hasQueued,
  onSend,
  onStop,
}: ComposerProps) {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  /** Null while the answer is to be text. */
  const [schema, setSchema] = useState<string | null>(null);
  const [schemaProblem, setSchemaProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const mayAttach = useMay("files:write");
  const maySend = useMay("replies:write");
  const isEmpty = text.trim() === "" && files.length === 0;

  async function send(): Promise<void> {
    if (isEmpty || isSending) return;
    const read = schema === null ? null : readJsonObject(schema);
    if (read && "problem" in read) return setSchemaProblem(read.problem);
    const draft = { ...(text.trim() !== "" && { text }), ...(files.length > 0 && { files }) };
    const options = read ? { structuredSchema: read.value as StructuredSchema } : {};
    setIsSending(true);
    const isSent = await onSend(draft, options);
    setIsSending(false);
    if (!isSent) return;
    setText("");
    setFiles([]);
  }

  function attach(list: FileList | null): boolean {
    if (!mayAttach || !list || list.length === 0) return false;
    setFiles((before) => [...before, ...list]);
    return true;
  }

  if (!maySend) {
    return <p className="composer-note quiet">This console may look, and not send messages.</p>;
  }
  return (
    <form
      className="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        if (attach(event.dataTransfer.files)) event.preventDefault();
      }}
    >
      <Attachments
        files={files}
        onRemove={(removed) => setFiles(files.filter((file) => file !== removed))}
      />
      {schema !== null && (
        <StructuredField
          value={schema}
          problem={schemaProblem}
          onChange={(next) => {
            setSchema(next);
            setSchemaProblem(null);
          }}
        />
      )}
      <textarea
        className="composer-text"
        aria-label="Your message"
        placeholder={isBusy ? "The next message…" : "Ask the agent…"}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={(event: ClipboardEvent) => {
          if (attach(event.clipboardData.files)) event.preventDefault();
        }}
        onKeyDown={(event) => {
          // Of an input method, Enter chooses a word.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div className="composer-actions">
        {mayAttach && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label="Files to attach"
              onChange={(event) => {
                attach(event.target.files);
                event.target.value = "";
              }}
            />
            <button type="button" className="button" onClick={() => picker.current?.click()}>
              <Paperclip size={16} aria-hidden />
              Attach
            </button>
          </>
        )}
        <button
          type="button"
          className="button"
          aria-pressed={schema !== null}
          onClick={() => setSchema(schema === null ? EXAMPLE_SCHEMA : null)}
        >
          Structured output
        </button>
        <span className="composer-space" />
        {isBusy && (
          <button type="button" className="button" onClick={() => onStop("keep")}>
            <CircleStop size={16} aria-hidden />
            Stop
          </button>
        )}
        {isBusy && hasQueued && (
          <button type="button" className="button" onClick={() => onStop("drop")}>
            Stop all
          </button>
        )}
        <button type="submit" className="button button-primary" disabled={isEmpty || isSending}>
          {isBusy ? <ListEnd size={16} aria-hidden /> : <SendHorizontal size={16} aria-hidden />}
          {isBusy ? "Queue" : "Send"}
        </button>
      </div>
    </form>
  );
});

type StructuredSchema = NonNullable<ReplyRequestOptions["structuredSchema"]>;

const EXAMPLE_SCHEMA = JSON.stringify(
  {
    type: "object",
    properties: {
      answer: { type: "string" },
      order_ids: { type: "array", items: { type: "string" } },
    },
    required: ["answer", "order_ids"],
  },
  null,
  2,
);
