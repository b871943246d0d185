import type { CSSProperties, ReactNode } from 'react';
import './page.css';

/** The heading of a column. A `number` stands at the end of its cell; `hidden` is for those who hear it alone. */
export type Column = string | { readonly label: string; readonly as: 'number' | 'hidden' };

/** A table of two columns fits a narrow screen as it is. */
const plainColumnsMax = 2;

/** On a narrow screen a row of more is a card: its style writes each column's name before the value. */
function labelsOf(columns: readonly Column[]): CSSProperties {
  const shown = columns.map((column) =>
    typeof column === 'string' ? column : column.as === 'number' ? column.label : '',
  );
  return Object.fromEntries(shown.map((name, at) => [`--page-column-${at + 1}`, JSON.stringify(name)]));
}

/** A table on a page, in its frame. Rows are `<tr>` with a name; what can be done with one stands in the last cell. */
export function PageTable({
  label,
  columns,
  children,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}) {
  return (
    <div className="page-table-frame">
      <table
        className="page-table"
        aria-label={label}
        data-cards={columns.length > plainColumnsMax ? true : undefined}
        style={labelsOf(columns)}
      >
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th
                  key={column.label}
                  scope="col"
                  className={column.as === 'number' ? 'page-number' : undefined}
                >
                  {column.as === 'hidden' ? (
                    <span className="visually-hidden">{column.label}</span>
                  ) : (
                    column.label
                  )}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
