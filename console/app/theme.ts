// Light or dark: the system's choice unless the person has made one, which this browser keeps.
export type Theme = "system" | "light" | "dark";

const KEY = "reprise.theme";

export function readTheme(): Theme {
  const kept = readKept();
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Storage may be switched off: then the choice lasts until the page is reloaded. */
function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
  applyTheme(theme);
}

/** The styles read the attribute; without it they follow the system. */
export function applyTheme(theme: Theme = readTheme()): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
}
