/** Creates an element with class and content. Text is never parsed as markup. */
export function element(
  tag: string,
  className: string,
  ...children: readonly (string | HTMLElement)[]
): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** @throws {Error} when the page has no such element. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as Kind;
}
