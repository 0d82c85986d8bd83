import { Menu } from "@base-ui/react/menu";
import { Check, CircleUser, LogOut } from "lucide-react";
import { useState } from "react";

import type { ConsoleAccess } from "../../sdk/index.ts";
import { useAccess } from "../access/access-context.ts";
import { formatTime } from "../components/format-time.ts";
import { chooseTheme, readTheme, type Theme } from "./theme.ts";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "Like the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Menu of the person who is signed in: light or dark, and the way out. */
export function AccountMenu({ session }: { readonly session: ConsoleAccess["session"] }) {
  const access = useAccess();
  const [theme, setTheme] = useState(readTheme);
  const [failure, setFailure] = useState<string | null>(null);
  function choose(next: Theme): void {
    chooseTheme(next);
    setTheme(next);
  }
  return (
    <>
      {failure !== null && <p role="alert">{failure}</p>}
      <Menu.Root>
        <Menu.Trigger className="button button-icon" aria-label="Account and appearance">
          <CircleUser size={20} aria-hidden />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="menu-place" align="end" sideOffset={6}>
            <Menu.Popup className="menu">
              <div className="menu-note">
                <strong>{session.tenant?.name ?? "Operator's console"}</strong>
                {session.member && (
                  <span>
                    {session.member.name}, {session.member.role}
                  </span>
                )}
                <span>Signed in until {formatTime(session.ends_at)}</span>
              </div>
              <Menu.RadioGroup value={theme} onValueChange={choose}>
                <Menu.Group>
                  <Menu.GroupLabel className="menu-label">Appearance</Menu.GroupLabel>
                  {THEMES.map(([value, label]) => (
                    <Menu.RadioItem key={value} value={value} className="menu-item">
                      <Menu.RadioItemIndicator className="menu-check">
                        <Check size={16} aria-hidden />
                      </Menu.RadioItemIndicator>
                      {label}
                    </Menu.RadioItem>
                  ))}
                </Menu.Group>
              </Menu.RadioGroup>
              <Menu.Separator className="menu-separator" />
              <Menu.Item
                className="menu-item"
                onClick={() => {
                  access
                    .signOut()
                    .catch((error: unknown) => setFailure(`Signing out failed: ${String(error)}`));
                }}
              >
                <LogOut size={16} aria-hidden />
                Sign out
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}
