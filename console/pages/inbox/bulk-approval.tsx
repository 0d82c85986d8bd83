import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Check } from "lucide-react";
import { useState } from "react";

import type { Confirmation } from "../../../sdk/index.ts";
import type { CallAnswer } from "./answer-calls.ts";
import type { Fact } from "./call-facts.ts";
import { sumCalls, type Sum } from "./sum-calls.ts";
import { editionOf, keyOfCall } from "./waiting-list.ts";

export interface ChosenCall {
  readonly call: Confirmation;
  readonly facts: readonly Fact[] | null;
}

interface BulkApprovalProps {
  readonly calls: readonly ChosenCall[];
  readonly delaySeconds: number;
  readonly onApprove: (answers: readonly CallAnswer[]) => void;
  readonly findFocus: () => HTMLElement | null;
}

/** Approval of all chosen calls behind a question that says what they add up to. */
export function BulkApproval({ calls, delaySeconds, onApprove, findFocus }: BulkApprovalProps) {
  // The calls that the question is about: what changes behind it is not approved with them.
  const [asked, setAsked] = useState<readonly ChosenCall[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const waiting = new Set(calls.map(nameOf));
  const still = asked.filter((one) => waiting.has(nameOf(one)));
  const gone = asked.length - still.length;

  return (
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(next) => {
        if (next) setAsked(calls);
        setIsOpen(next);
      }}
    >
      <AlertDialog.Trigger
        render={<button type="button" className="button button-primary" data-answers />}
      >
        <Check size={16} aria-hidden />
        Approve {calls.length}…
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup
          className="dialog"
          finalFocus={() => (calls.length === 0 || still.length === 0 ? findFocus() : true)}
        >
          <AlertDialog.Title className="dialog-title">
            Approve {still.length} {still.length === 1 ? "call" : "calls"}?
          </AlertDialog.Title>
          <AlertDialog.Description render={<div className="form-stack" />}>
            <WhatItAddsUpTo calls={still} />
            {gone > 0 && (
              <p className="notice" data-tone="waiting">
                {gone} of those that you chose {gone === 1 ? "waits" : "wait"} no more and{" "}
                {gone === 1 ? "is" : "are"} left out.
              </p>
            )}
            <p className="quiet">
              {delaySeconds === 0
                ? "Sent at once, and not to be taken back."
                : `Sent after ${delaySeconds} seconds, in which you can undo it.`}
            </p>
          </AlertDialog.Description>
          <div className="dialog-actions">
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
            <button
              type="button"
              className="button button-primary"
              data-answers
              disabled={still.length === 0}
              onClick={() => {
                onApprove(still.map(({ call }) => ({ call, confirm: { confirmed: true } })));
                setIsOpen(false);
              }}
            >
              Approve {still.length}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function nameOf({ call }: ChosenCall): string {
  return `${keyOfCall(call)} ${editionOf(call)}`;
}

function WhatItAddsUpTo({ calls }: { readonly calls: readonly ChosenCall[] }) {
  const { sums, tools, unread } = sumCalls(
    calls.map(({ call, facts }) => ({ toolName: call.tool_name, facts })),
  );
  return (
    <>
      {sums.length > 0 && (
        <dl className="sum-list">
          {sums.map((sum) => (
            <div key={`${sum.label} ${sum.currency ?? ""}`}>
              <dt>
                {sum.label}
                <span className="quiet">{shareWords(sum, calls.length)}</span>
              </dt>
              <dd data-money={sum.currency !== null || undefined}>{sum.text}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>
        {tools.map(([toolName, count], index) => (
          <span key={toolName}>
            {index > 0 && ", "}
            {count} × <code>{toolName}</code>
          </span>
        ))}
      </p>
      {unread > 0 && (
        <p className="notice" data-tone="waiting">
          {unread} {unread === 1 ? "has arguments that" : "have arguments that"} cannot be read
          here: nothing of {unread === 1 ? "it" : "them"} is in these sums.
        </p>
      )}
    </>
  );
}

/** The number of calls that have the field, where not all of them have it. */
function shareWords({ calls }: Sum, all: number): string {
  return calls === all ? "" : ` in ${calls} of them`;
}
