import type { ReactNode } from "react";

import type { Paged } from "../../../sdk/index.ts";
import type { Column } from "../data-table.tsx";
import { FilterBar, type FilterField } from "../filter-bar.tsx";
import type { Filters } from "../use-filters.ts";
import { useLiveList } from "../use-live-list.ts";
import { usePaged } from "../use-paged.ts";
import { AddDialog } from "./add-dialog.tsx";
import { ListPage } from "./list-page.tsx";

interface ResourceListProps<Row> {
  readonly title: string;
  readonly subtitle: string;
  /** Name of the region with the table. */
  readonly label: string;
  /** Name of the list among what the console has read. */
  readonly queryKey: string;
  /** The filters that the list is read with; without members for all of it. */
  readonly filter: object;
  /** The list with these filters. */
  readonly list: Paged<Row>;
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly fields: readonly FilterField[];
  readonly filters: Filters;
  /** In place of rows: where there are none at all, and where none fits the filters. */
  readonly empty: ReactNode;
  readonly noneFits: ReactNode;
  /** Null for who may not add one. */
  readonly add: {
    /** Words of the button. */
    readonly label: string;
    readonly title: string;
    readonly form: (done: {
      readonly onCancel: () => void;
      readonly onMade: (id: string) => void;
    }) => ReactNode;
    /** Leads to the page of the new one. */
    readonly open: (id: string) => void;
  } | null;
}

/** Page of a live list with filters, to which one adds and each row of which has a page of its own. */
export function ResourceList<Row>(props: ResourceListProps<Row>) {
  const { title, subtitle, label, queryKey, filter, list, keyOf, add } = props;
  const key = [queryKey, filter];
  const paged = usePaged(key, list);
  const live = useLiveList(key, list, { keyOf, label });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListPage
      title={title}
      subtitle={subtitle}
      hasRefresh
      live={live}
      actions={
        add && (
          <AddDialog label={add.label} title={add.title}>
            {(close) =>
              add.form({
                onCancel: close,
                onMade: (id) => {
                  paged.refresh();
                  add.open(id);
                },
              })
            }
          </AddDialog>
        )
      }
      table={{
        label,
        columns: props.columns,
        paged,
        keyOf,
        empty: isFiltered ? props.noneFits : props.empty,
      }}
    >
      <FilterBar fields={props.fields} filters={props.filters} />
    </ListPage>
  );
}
