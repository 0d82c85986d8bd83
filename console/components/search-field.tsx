import { Field } from "@base-ui/react/field";
import { Search } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";

import type { Filters } from "./use-filters.ts";

interface SearchFieldProps {
  /** The name that the address has for it. */
  readonly name: string;
  /** The things that are searched, as a visible label. */
  readonly label: string;
  readonly filters: Filters;
}

/** Milliseconds without a key after which a search takes effect: each is a request. */
const TYPED_MS = 250;
const MAX_CHARACTERS = 200;
/** A text without any of these has nothing that could be found. */
const FINDABLE = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** Whether there is something to look for in the text. */
export function isFindable(text: string): boolean {
  return FINDABLE.test(text);
}

/** Search of a list, in the address like its filters. It takes effect while it is typed; the key `/` leads to it. */
export const SearchField = memo(function SearchField({ name, label, filters }: SearchFieldProps) {
  const value = filters.values[name] ?? "";
  // Typed text, the address's as it was last seen, and as this field has last set it: another one is from outside.
  const [draft, setDraft] = useState({ text: value, seen: value, sent: value });
  if (value !== draft.seen) {
    const isOwn = value === draft.sent;
    setDraft({ ...draft, seen: value, ...(!isOwn && { text: value, sent: value }) });
  }
  const commit = (text: string) => {
    if (text === draft.sent) return;
    setDraft({ ...draft, text, sent: text });
    filters.set(name, text);
  };
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(() => {
    const timer = setTimeout(() => latest.current(draft.text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [draft.text]);
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);
  const hint = draft.text.trim() !== "" && !isFindable(draft.text);
  return (
    <form
      role="search"
      aria-label="Search"
      className="search-field"
      onSubmit={(event) => {
        event.preventDefault();
        commit(draft.text);
      }}
    >
      <Field.Root className="field">
        <Field.Label className="field-label">{label}</Field.Label>
        <span className="search-input">
          <Search size={16} aria-hidden />
          <Field.Control
            ref={input}
            type="search"
            className="input"
            dir="auto"
            autoComplete="off"
            enterKeyHint="search"
            aria-keyshortcuts="/"
            maxLength={MAX_CHARACTERS}
            value={draft.text}
            onValueChange={(text: string) => setDraft({ ...draft, text })}
          />
          {draft.text === "" && <kbd aria-hidden>/</kbd>}
        </span>
        {hint && (
          <Field.Description className="field-hint">
            Type a letter, a digit or a picture to search for.
          </Field.Description>
        )}
      </Field.Root>
    </form>
  );
});

/** The key `/` puts the focus into the field, where nothing else has it. */
function useSlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const ends = new AbortController();
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
      if (target.matches("input, textarea, select, [contenteditable]")) return;
      if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener("keydown", onKeyDown, { signal: ends.signal });
    return () => ends.abort();
  }, [input]);
}
