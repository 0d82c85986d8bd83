import { Link } from "@tanstack/react-router";

import { includesRight, useAccess } from "../access/access-context.ts";
import { PAGES } from "../pages/pages.ts";

interface NavigationProps {
  /** Of the console's session: scopes, or the operator's rights. Null is all of them. */
  readonly rights: readonly string[] | null;
  readonly onOpen?: () => void;
}

export function Navigation({ rights, onOpen }: NavigationProps) {
  const { path: base } = useAccess();
  const kind = base === "/operator" ? "operator" : "tenant";
  const entries = PAGES[kind].flatMap(({ entry, scope, path }) =>
    entry && (!scope || includesRight(rights, scope)) ? [{ ...entry, path }] : [],
  );
  const groups = [...new Set(entries.map(({ group }) => group))];
  return (
    <nav aria-label="Pages" className="navigation">
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {entries
              .filter((entry) => entry.group === group)
              .map(({ path, label, icon: Icon, Count }) => (
                <li key={path}>
                  <Link
                    to={path}
                    className="navigation-link"
                    activeProps={{ "data-active": "" }}
                    onClick={onOpen}
                  >
                    <Icon size={18} aria-hidden />
                    {label}
                    {Count && <Count />}
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
