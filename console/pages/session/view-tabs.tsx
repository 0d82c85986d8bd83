import { Tabs } from "@base-ui/react/tabs";

interface ViewTabsProps {
  /** Name of the tabs, such as "Views of the session". */
  readonly label: string;
  readonly tabs: readonly (readonly [value: string, label: string])[];
  readonly shown: string;
  readonly onShow: (value: string) => void;
}

/**
 * A row of tabs, inside of a `Tabs.Root`. Ten of them are wider than a phone, and what is scrolled out of view is not
 * found: there the same choice is a list to open.
 */
export function ViewTabs({ label, tabs, shown, onShow }: ViewTabsProps) {
  return (
    <>
      <Tabs.List className="tabs view-tabs" aria-label={label}>
        {tabs.map(([value, text]) => (
          <Tabs.Tab key={value} value={value} className="tab">
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <label className="view-choice">
        <span className="field-label">View</span>
        <select
          className="input"
          aria-label={label}
          value={shown}
          onChange={({ currentTarget }) => onShow(currentTarget.value)}
        >
          {tabs.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
