import { useEffect, useRef } from "react";

import { AIM_MS, judgePress, missedWords, standOf, type Stand, type Verdict } from "./aim.ts";

/** Milliseconds between two looks at where the controls are. */
const LOOK_MS = 100;
/** Controls that answer, and the cards that hold them. */
const WATCHED = "[data-answers], [data-edition]";

/**
 * Watch over all controls with `data-answers`: a click or a key on one that was not aimed at does not reach it.
 * `data-edition` of a card says which call and question it shows; `data-steady` is put on what has been in its place
 * for long enough.
 * @param onMissed Told of a press that was not counted, in words.
 */
export function useAim(onMissed: (words: string) => void): void {
  const tell = useRef(onMissed);
  useEffect(() => {
    tell.current = onMissed;
  });
  useEffect(() => watchPresses((words) => tell.current(words)), []);
}

/** @returns the end of the watch. */
function watchPresses(onMissed: (words: string) => void): () => void {
  const stands = new WeakMap<Element, Stand>();
  const ends = new AbortController();
  let focused: { readonly card: Element; readonly sinceMs: number } | null = null;
  let pressed: { readonly control: Element; readonly verdict: Verdict } | null = null;
  let isRepeat = false;

  function see(element: HTMLElement): Stand {
    const { left, top } = element.getBoundingClientRect();
    const edition = cardOf(element)?.dataset["edition"] ?? "";
    const now = Date.now();
    const stand = standOf(stands.get(element), { edition, place: { left, top } }, now);
    stands.set(element, stand);
    if (now - stand.sinceMs >= AIM_MS) element.dataset["steady"] = "";
    else delete element.dataset["steady"];
    return stand;
  }
  function judge(control: HTMLElement, isKey: boolean): Verdict {
    const card = cardOf(control);
    const focusedSinceMs = isKey && card && focused?.card === card ? focused.sinceMs : null;
    const press = { stand: see(control), focusedSinceMs, isRepeat: isKey && isRepeat };
    return judgePress(press, Date.now());
  }
  const look = () => document.querySelectorAll<HTMLElement>(WATCHED).forEach(see);
  const timer = setInterval(look, LOOK_MS);
  look();

  function listen<Type extends keyof DocumentEventMap>(
    type: Type,
    listener: (event: DocumentEventMap[Type]) => void,
  ): void {
    document.addEventListener(type, listener, { capture: true, signal: ends.signal });
  }
  listen("focusin", ({ target }) => {
    const card = target instanceof Element ? cardOf(target) : null;
    if (card === null) focused = null;
    else if (focused?.card !== card) focused = { card, sinceMs: Date.now() };
  });
  listen("keydown", (event) => {
    isRepeat = event.repeat;
  });
  listen("pointerdown", ({ target }) => {
    const control = controlOf(target);
    pressed = control && { control, verdict: judge(control, false) };
  });
  listen("click", (event) => {
    const control = controlOf(event.target);
    if (!control) return;
    // A key makes a click without a number; so do programs that press for a person.
    const isKey = event.detail === 0;
    const isPressed = !isKey && pressed?.control === control;
    const verdict = isPressed && pressed ? pressed.verdict : judge(control, isKey);
    pressed = null;
    if (verdict === "aimed") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const words = missedWords(verdict);
    if (words !== null) onMissed(words);
  });
  return () => {
    clearInterval(timer);
    ends.abort();
  };
}

function controlOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-answers]") : null;
}

function cardOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[data-edition]");
}
