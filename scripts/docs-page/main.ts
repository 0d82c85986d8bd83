// The script of the documentation's pages: search, and a button that copies code. Pages are complete without it.
import { findSections, type IndexedSection } from "./find-sections.ts";

const MAX_RESULTS = 12;

let index: Promise<readonly IndexedSection[]> | undefined;

function loadIndex(): Promise<readonly IndexedSection[]> {
  index ??= fetch("/docs/search.json").then(async (response) => {
    if (response.ok) return (await response.json()) as readonly IndexedSection[];
    index = undefined;
    throw new Error(`the index answered ${response.status}`);
  });
  return index;
}

function startSearch(form: HTMLFormElement, input: HTMLInputElement, results: HTMLElement): void {
  form.hidden = false;
  input.addEventListener("focus", () => void loadIndex().catch(() => undefined));
  input.addEventListener("input", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", (event) => {
    // A link within the page loads none, so that the results would cover what it leads to.
    const isLink = event.target instanceof Element && results.contains(event.target.closest("a"));
    if (event.target instanceof Node && (isLink || !form.contains(event.target))) {
      results.hidden = true;
    }
  });

  async function show(): Promise<void> {
    const query = input.value;
    results.hidden = query.trim() === "";
    if (results.hidden) return;
    let lines: readonly Node[];
    try {
      const found = findSections(await loadIndex(), query, MAX_RESULTS);
      lines = found.length > 0 ? found.map(toLink) : [toLine("Nothing found.")];
    } catch {
      lines = [toLine("The search is not available at the moment.")];
    }
    if (query === input.value) results.replaceChildren(...lines);
  }
}

function toLink({ url, page, title, text }: IndexedSection): HTMLElement {
  const link = document.createElement("a");
  link.href = url;
  const name = document.createElement("strong");
  name.textContent = title;
  const place = document.createElement("small");
  place.textContent = page === title ? "" : page;
  const excerpt = document.createElement("span");
  excerpt.textContent = text;
  link.append(name, place, excerpt);
  return link;
}

function toLine(text: string): HTMLElement {
  const line = document.createElement("p");
  line.textContent = text;
  return line;
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll("main pre")) {
    const text = block.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(text).then(
        () => (button.textContent = "Copied"),
        () => (button.textContent = "Not allowed"),
      );
      setTimeout(() => (button.textContent = "Copy"), 2_000);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** An anchor of a heading that is on another page now leads there at once; without scripts it leads to a link. */
function followMovedHeading(): void {
  const mark = document.getElementById(location.hash.slice(1));
  const link = mark?.closest(".moved li")?.querySelector<HTMLAnchorElement>("a[href]");
  if (link) location.replace(link.href);
}

const form = document.querySelector<HTMLFormElement>("form.search");
const input = document.querySelector<HTMLInputElement>("form.search input");
const results = document.querySelector<HTMLElement>("form.search .results");
if (form && input && results) startSearch(form, input, results);
if (navigator.clipboard) addCopyButtons();
followMovedHeading();
addEventListener("hashchange", followMovedHeading);
