import { useState } from "react";

import { CopyButton } from "./copy-button.tsx";

interface JsonViewerProps {
  readonly value: unknown;
  /** Name of the value, such as "input of the call". */
  readonly label: string;
  /** Levels that are open at first. */
  readonly openLevels?: number;
}

/** Members of one level that are drawn at first, and with each further step. */
const STEP_MEMBERS = 100;
/** Characters of a string that are drawn at first. */
const SHOWN_CHARACTERS = 2_000;

/** A JSON value as a tree. Levels are drawn when they are opened, so a value may be of any size. */
export function JsonViewer({ value, label, openLevels = 1 }: JsonViewerProps) {
  return (
    <div className="json" role="group" aria-label={label}>
      <CopyButton text={JSON.stringify(value, null, 2) ?? ""} what={label} />
      <Value value={value} openLevels={openLevels} />
    </div>
  );
}

interface ValueProps {
  readonly name?: string;
  readonly value: unknown;
  readonly openLevels: number;
}

function Value({ name, value, openLevels }: ValueProps) {
  if (typeof value !== "object" || value === null) {
    return (
      <div className="json-line">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  return <Branch name={name} value={value} openLevels={openLevels} />;
}

function Branch({ name, value, openLevels }: ValueProps & { readonly value: object }) {
  const [isOpen, setIsOpen] = useState(openLevels > 0);
  const [count, setCount] = useState(STEP_MEMBERS);
  const members = Object.entries(value);
  const [start, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) {
    return (
      <div className="json-line">
        <Name name={name} />
        {start}
        {end}
      </div>
    );
  }
  return (
    <details
      className="json-branch"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <Name name={name} />
        {start}
        <span className="json-count">{isOpen ? "" : ` ${members.length} `}</span>
        {!isOpen && end}
      </summary>
      {isOpen && (
        <div className="json-members">
          {members.slice(0, count).map(([key, member]) => (
            <Value key={key} name={key} value={member} openLevels={openLevels - 1} />
          ))}
          {members.length > count && (
            <button
              type="button"
              className="button button-small"
              onClick={() => setCount(count + STEP_MEMBERS)}
            >
              {members.length - count} more
            </button>
          )}
        </div>
      )}
      {isOpen && <span>{end}</span>}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span className="json-name">{name}: </span>;
}

function Scalar({ value }: { readonly value: unknown }) {
  const [isWhole, setIsWhole] = useState(false);
  const text = JSON.stringify(value) ?? "undefined";
  const isLong = text.length > SHOWN_CHARACTERS && !isWhole;
  return (
    <span className="json-value" data-type={value === null ? "null" : typeof value}>
      {isLong ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}
      {isLong && (
        <button type="button" className="button button-small" onClick={() => setIsWhole(true)}>
          Show all {text.length} characters
        </button>
      )}
    </span>
  );
}
