import type { Memory } from "../../../sdk/index.ts";
import { TextField } from "../../components/forms/fields.tsx";

/** A memory as it is typed. */
export interface MemoryDraft {
  readonly content: string;
  readonly path: string;
}

interface MemoryFieldsProps {
  readonly draft: MemoryDraft;
  readonly onChange: (draft: MemoryDraft) => void;
}

/** Text and place of a memory. The platform has their bounds, and says what does not fit. */
export function MemoryFields({ draft, onChange }: MemoryFieldsProps) {
  return (
    <>
      <TextField
        label="What is remembered"
        hint="A sentence about one thing. Models are told it as it is."
        lines={4}
        isRequired
        value={draft.content}
        onChange={(content) => onChange({ ...draft, content })}
      />
      <TextField
        label="Path"
        hint="A place such as profile/city, where there is one memory at a time; may be empty."
        isCode
        value={draft.path}
        onChange={(path) => onChange({ ...draft, path })}
      />
    </>
  );
}

export function draftOf(memory: Pick<Memory, "content" | "path"> | null): MemoryDraft {
  return { content: memory?.content ?? "", path: memory?.path ?? "" };
}

export function toWritten({ content, path }: MemoryDraft): {
  readonly content: string;
  readonly path: string | null;
} {
  return { content, path: path.trim() || null };
}
