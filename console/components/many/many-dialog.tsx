import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";

import { failureText } from "../failure-text.ts";
import { type ManyResult, runMany } from "./run-many.ts";

interface ManyDialogProps<Item> {
  readonly icon: LucideIcon;
  /** Words of the button, with the number: "Retry 12". */
  readonly button: string;
  readonly title: string;
  /** A verb: "Retry". */
  readonly action: string;
  readonly items: readonly Item[];
  readonly run: (item: Item) => Promise<string>;
  /** The act and its price, read before anything is done. */
  readonly children: ReactNode;
  /** Told before it opens, and when it has closed: the component that shows it must not go meanwhile. */
  readonly onOpen?: (isOpen: boolean) => void;
  readonly onDone: () => void;
}

/** A button that does the same to many, one after another, after a look at how many they are and what it may cost. */
export function ManyDialog<Item>(props: ManyDialogProps<Item>) {
  const { icon: Icon, button, title, action, items, run, children, onOpen, onDone } = props;
  const [isOpen, setIsOpen] = useState(false);
  /** As they were at the click: the list behind may change meanwhile. */
  const [chosen, setChosen] = useState<readonly Item[]>([]);
  const [result, setResult] = useState<ManyResult | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);

  function open(next: boolean): void {
    if (next) {
      setChosen(items);
      setResult(null);
    } else {
      stop?.abort();
      if (result) onDone();
    }
    onOpen?.(next);
    setIsOpen(next);
  }
  async function start(): Promise<void> {
    const controller = new AbortController();
    setStop(controller);
    await runMany(chosen, run, {
      signal: controller.signal,
      onResult: setResult,
      textOf: failureText,
    });
    setStop(null);
  }

  return (
    <AlertDialog.Root open={isOpen} onOpenChange={open}>
      <AlertDialog.Trigger
        render={
          <button type="button" className="button" disabled={items.length === 0}>
            <Icon size={16} aria-hidden />
            {button}
          </button>
        }
      />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          <div role="status">
            {result && (
              <p>
                {result.done} of {chosen.length} done.{" "}
                {result.outcomes.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}
              </p>
            )}
          </div>
          <div className="dialog-actions">
            <AlertDialog.Close render={<button type="button" className="button" />}>
              {result ? (stop ? "Stop" : "Close") : "Cancel"}
            </AlertDialog.Close>
            {!result && (
              <button
                type="button"
                className="button button-primary"
                disabled={stop !== null}
                onClick={() => void start()}
              >
                {action}
              </button>
            )}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
