import { RefreshCw } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";

import type { Confirmation, ConfirmationFilter } from "../../../sdk/index.ts";
import { useAccessState, useMay } from "../../access/access-context.ts";
import { useWaitingCount } from "../../components/inbox/waiting-count.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useAgents } from "../../components/use-names.ts";
import type { CallAnswer } from "./answer-calls.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { CallCard, type CardActs } from "./call-card.tsx";
import { factsOf } from "./call-facts.ts";
import { HelpDialog } from "./help-dialog.tsx";
import { HeldBar } from "./held-bar.tsx";
import { INBOX_FILTERS, InboxFilters } from "./inbox-filters.tsx";
import { useDelay } from "./inbox-settings.ts";
import { InboxTabs } from "./inbox-tabs.tsx";
import { LeaveUnsent } from "./leave-unsent.tsx";
import { ListLine } from "./list-line.tsx";
import { NothingWaits } from "./nothing-waits.tsx";
import { OutcomeList } from "./outcome-list.tsx";
import { inputSchemaOf } from "./tool-schema.ts";
import { useAim } from "./use-aim.ts";
import { useInbox } from "./use-inbox.ts";
import { focusElement, useShortcuts } from "./use-shortcuts.ts";
import { useWords } from "./use-words.ts";
import { keyOfCall, nextCard, type Card } from "./waiting-list.ts";

/** Milliseconds after which ages and expiries are written anew. */
const CLOCK_MS = 15_000;
const NONE: ReadonlySet<string> = new Set();
/** Fields of an open card. */
const FIELDS = ".call-editor :is(input, select, textarea):enabled";

/** Everything that waits across the tenant, as it comes and goes, to be answered one by one or together. */
export function InboxPage() {
  const access = useAccessState();
  const tenantId = access.kind === "signed_in" ? (access.session.tenant?.id ?? "") : "";
  const filters = useFilters();
  const filter = toFilter(filters.values);
  const [delaySeconds, setDelaySeconds] = useDelay();
  const [heard, say] = useWords();
  const [missed, tellMissed] = useWords();
  const inbox = useInbox({ filter, tenantId, delayMs: delaySeconds * 1_000, onSay: say });
  const { list, change, undo, notes, isLoading, isWhole, error, loadMore, look } = inbox;
  const agents = useAgents();
  const count = useWaitingCount();
  const [chosen, setChosen] = useState(NONE);
  const [opened, setOpened] = useState(NONE);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const mayConfirm = useMay("confirmations:write");
  const root = useRef<HTMLDivElement>(null);
  const isByKey = useRef(false);
  const now = useClock();
  useAim(tellMissed);
  useShortcuts(root, {
    onHelp: () => setIsHelpOpen(true),
    onClose: (key) => setOpened((before) => without(before, [key])),
  });

  const readFacts = useMemo(() => {
    const read = (call: Confirmation) =>
      call.tool_call &&
      factsOf(call.tool_call.input, inputSchemaOf(agents.get(call.agent_id), call));
    const known = new Map(list.cards.map(({ call }) => [call, read(call)]));
    return (call: Confirmation) => known.get(call) ?? read(call);
  }, [agents, list.cards]);

  const isOpenFor = ({ key, state }: Card) => state.type === "waiting" && !undo.queue.has(key);
  const waiting = list.cards.filter(({ state }) => state.type !== "settled");
  const choosable = mayConfirm
    ? list.cards.filter((card) => card.call.kind === "permission" && isOpenFor(card))
    : [];
  const chosenCalls = choosable
    .filter(({ key }) => chosen.has(key))
    .map(({ call }) => ({ call, facts: readFacts(call) }));

  // An editor is closed when its answer has arrived; a refused one stays with what was typed.
  useEffect(() => {
    const done = list.cards.filter(({ state }) => state.type === "settled" && state.by === "me");
    setOpened((before) =>
      without(
        before,
        done.map(({ key }) => key),
      ),
    );
  }, [list.cards]);

  function findCard(key: string | null): HTMLElement | null {
    const name = key === null ? "" : CSS.escape(key);
    return root.current?.querySelector<HTMLElement>(`[data-key="${name}"]`) ?? null;
  }
  /** The card behind those that were answered; one of them where no other waits. */
  function focusNext(keys: readonly string[]): HTMLElement | null {
    const last = keys.at(-1) ?? "";
    const isLeft = (card: Card) => isOpenFor(card) && !keys.includes(card.key);
    return findCard(nextCard(list.cards, last, isLeft) ?? last) ?? lineOf(root.current);
  }
  function answer(answers: readonly CallAnswer[]): void {
    const keys = answers.map(({ call }) => keyOfCall(call));
    const next = focusNext(keys);
    inbox.answer(answers);
    setChosen((before) => without(before, keys));
    if (next) focusElement(next, isByKey.current);
  }
  function putAway(keys: readonly string[] | undefined): void {
    const next = keys ? focusNext(keys) : lineOf(root.current);
    change({ type: "put away", ...(keys && { keys }) });
    if (next) focusElement(next, isByKey.current);
  }
  const acts: CardActs = {
    open(key, isOpen) {
      setOpened((before) => (isOpen ? withKey(before, key) : without(before, [key])));
      // When it is drawn.
      if (isOpen && isByKey.current)
        setTimeout(() => findCard(key)?.querySelector<HTMLElement>(FIELDS)?.focus());
    },
    choose: (key, isOn) =>
      setChosen((before) => (isOn ? withKey(before, key) : without(before, [key]))),
    answer: (one) => answer([one]),
    signedIn: inbox.signedIn,
    undo: (key) => {
      undo.drop([key]);
      findCard(key)?.focus({ preventScroll: true });
      say("Undone: nothing was sent.");
    },
    now: (key) => {
      undo.sendNow([key]);
      const next = focusNext([key]);
      if (next) focusElement(next, isByKey.current);
    },
    putAway: (key) => putAway([key]),
  };
  const heldKeys = [...undo.queue.keys()];

  return (
    <div
      className="detail-page inbox"
      ref={root}
      onPointerDownCapture={() => (isByKey.current = false)}
      onKeyDownCapture={() => (isByKey.current = true)}
    >
      <PageHeader title="Approvals" subtitle={countWords(count, waiting.length, isWhole, filter)}>
        <button type="button" className="button" onClick={() => void look()}>
          <RefreshCw size={16} aria-hidden />
          Refresh
        </button>
      </PageHeader>
      <InboxTabs shown="waiting" />
      <InboxFilters filters={filters} agents={agents} tenantId={tenantId} />
      <ListLine
        choosable={choosable.length}
        chosen={chosenCalls.length}
        mayChoose={mayConfirm}
        onChoose={(isAll) => setChosen(isAll ? new Set(choosable.map(({ key }) => key)) : NONE)}
        answered={list.cards.length - waiting.length}
        onPutAway={() => putAway(undefined)}
        isOld={error !== null && list.cards.length > 0}
        delaySeconds={delaySeconds}
        onDelay={setDelaySeconds}
        onHelp={() => setIsHelpOpen(true)}
      />
      <div className="inbox-columns">
        <div className="inbox-main">
          {isLoading && <LoadingState label="Loading what waits…" />}
          {error && list.cards.length === 0 && (
            <ErrorState error={error} onRetry={() => void look()} />
          )}
          <ul className="card-list" aria-label="Waiting calls">
            {list.cards.map((card) => (
              <li key={card.key}>
                <CallCard
                  card={card}
                  agent={agents.get(card.call.agent_id)}
                  facts={readFacts(card.call)}
                  held={undo.queue.get(card.key)}
                  unsent={notes.find(card.key, card.edition, now)}
                  isOpen={opened.has(card.key)}
                  isChosen={chosen.has(card.key)}
                  acts={acts}
                />
              </li>
            ))}
          </ul>
          {!isLoading && !error && waiting.length === 0 && (
            <NothingWaits isFiltered={Object.keys(filter).length > 0} />
          )}
          {loadMore && (
            <button type="button" className="button" onClick={loadMore}>
              Show more
            </button>
          )}
          {chosenCalls.length > 0 ? (
            <BulkBar
              calls={chosenCalls}
              delaySeconds={delaySeconds}
              onAnswer={answer}
              onClear={() => setChosen(NONE)}
              findFocus={() => focusNext(chosenCalls.map(({ call }) => keyOfCall(call)))}
            />
          ) : (
            <HeldBar
              queue={undo.queue}
              onUndo={() => {
                undo.drop(heldKeys);
                focusNext(heldKeys)?.focus({ preventScroll: true });
              }}
              onNow={() => {
                undo.sendNow(heldKeys);
                focusNext(heldKeys)?.focus({ preventScroll: true });
              }}
            />
          )}
        </div>
        <OutcomeList
          answers={list.answers}
          factsOf={readFacts}
          onClear={() => change({ type: "answers cleared" })}
        />
      </div>
      <p role="status" className="visually-hidden">
        {heard}
      </p>
      <p role="status" className="inbox-missed">
        {missed && <span>{missed}</span>}
      </p>
      <HelpDialog isOpen={isHelpOpen} onOpen={setIsHelpOpen} />
      <LeaveUnsent count={undo.queue.size} onSend={() => undo.sendNow(heldKeys)} />
    </div>
  );
}

/** The line above the list, which has the focus when no card can have it. */
function lineOf(root: HTMLElement | null): HTMLElement | null {
  return root?.querySelector<HTMLElement>(".list-line") ?? null;
}

function withKey(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set([...keys, key]);
}

function without(keys: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  return gone.some((key) => keys.has(key))
    ? new Set([...keys].filter((key) => !gone.includes(key)))
    : keys;
}

/** The true count; with filters also how many fit them. */
function countWords(
  count: ReturnType<typeof useWaitingCount>,
  shown: number,
  isWhole: boolean,
  filter: ConfirmationFilter,
): string {
  if (!count) return "Calls of all sessions that wait for a person or a result, oldest first";
  const all = `${count.text} ${count.count === 1 ? "call waits" : "calls wait"}`;
  if (Object.keys(filter).length === 0) return `${all} for a person or a result, oldest first`;
  return `${shown.toLocaleString()}${isWhole ? "" : "+"} fit these filters; ${all} in all`;
}

/** The moment, from time to time: ages and expiries are of it. */
function useClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function toFilter(values: Readonly<Record<string, string>>): ConfirmationFilter {
  const names = INBOX_FILTERS.filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as ConfirmationFilter;
}
