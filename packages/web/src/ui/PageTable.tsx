import type { CSSProperties, ReactNode } from 'react';
import './page.css';

/** A column heading. A `number` is aligned to the end of its cell; `hidden` is for screen readers only. */
export type Column = string | { readonly label: string; readonly as: 'number' | 'hidden' };

/** A table of two columns fits a narrow screen. */
const plainColumnsMax = 2;

/** On a narrow screen, a row with more columns becomes a card. CSS writes each column's name before its value. */
function labelsOf(columns: readonly Column[]): CSSProperties {
  const shown = columns.map((column) =>
    typeof column === 'string' ? column : column.as === 'number' ? column.label : '',
  );
  return Object.fromEntries(shown.map((name, at) => [`--page-column-${at + 1}`, JSON.stringify(name)]));
}

/** A table on a page. Rows are `<tr>` with a name; their actions are in the last cell. */
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
