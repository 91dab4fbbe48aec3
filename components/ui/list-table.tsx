import type { ComponentProps, ReactNode } from "react";
import { BufferedTable } from "./buffered-table";
import { CopyText } from "./copy";
import { Link } from "./link";
import { Time } from "./time";

/** A column of a list: its heading, and what its cells show. */
export interface Column<Row> {
  name: string;
  /** The heading, if it is not the name. */
  head?: ReactNode;
  cell(row: Row): ReactNode;
  /** The order of the list by this column, or how to get it. */
  sort?: Sort;
  /** The class of the cells, if they are not small and quiet. */
  look?: string | ((row: Row) => string);
  /** The class that hides the column on some screens. */
  hidden?: string;
  /** Whether the card of a narrow screen shows the name beside the value. */
  isLabelled?(row: Row): boolean;
}

export interface Sort {
  /** Whether the list has this order. */
  isOn: boolean;
  direction: "ascending" | "descending";
  /** The list in this order; without it there is no other. */
  href?: string;
}

/** The order of a list by creation, which is that of its IDs. */
export const NEWEST_FIRST: Sort = { isOn: true, direction: "descending" };
export const OLDEST_FIRST: Sort = { isOn: true, direction: "ascending" };

export interface TableProps<Row> {
  /** A false column is left out. */
  columns: readonly (Column<NoInfer<Row>> | false)[];
  rows: readonly Row[];
  /** The row that is open beside the list. */
  openId?: string | undefined;
  attributes?(row: Row): ComponentProps<"tr"> & { [data: `data-${string}`]: string };
}

const QUIET = "text-small text-muted tabular-nums";

/** A list as a `BufferedTable`; cards of two lines at 640 px and below. */
export function ListTable<Row extends { id: string }>(props: TableProps<Row>) {
  const rows = props.rows.map((row) => ({ id: row.id, row: rowOf(row, props) }));
  return <BufferedTable head={headOf(props.columns)} rows={rows} />;
}

/** A list within a `BufferedView`, whose rows are the targets of links. */
export function TargetTable<Row extends { id: string }>(
  props: Pick<TableProps<Row>, "columns" | "rows">,
) {
  const attributes = ({ id }: Row) => ({ id, className: "target:bg-surface" });
  return (
    <table className="list-table">
      <thead>{headOf(props.columns)}</thead>
      <tbody>{props.rows.map((row) => rowOf(row, { ...props, attributes }))}</tbody>
    </table>
  );
}

interface RowGroup<Row> {
  key: string;
  heading: ReactNode;
  rows: readonly Row[];
  /** A link to the rows that are not shown. */
  more?: { href: string; words: string } | undefined;
}

/** A list within a `BufferedView` whose rows are in groups, each below its heading. */
export function GroupedTable<Row extends { id: string }>(
  props: Omit<TableProps<Row>, "rows"> & { groups: readonly RowGroup<Row>[] },
) {
  const span = props.columns.filter(Boolean).length;
  return (
    <table className="list-table">
      <thead>{headOf(props.columns)}</thead>
      {props.groups.map(({ key, heading, rows, more }) => (
        <tbody key={key}>
          <tr className="group-heading">
            <th colSpan={span} scope="rowgroup">
              {heading}
            </th>
          </tr>
          {rows.map((row) => rowOf(row, props))}
          {more && (
            <tr className="group-more">
              <td colSpan={span}>
                <Link href={more.href} scroll={false} className="button">
                  {more.words}
                </Link>
              </td>
            </tr>
          )}
        </tbody>
      ))}
    </table>
  );
}

/** The column of IDs, each shown by its end. */
export function idColumn(hidden = "max-sm:hidden") {
  const cell = ({ id }: { id: string }) => <CopyText text={id} shown={`…${id.slice(-6)}`} />;
  return { name: "ID", hidden, look: "", cell };
}

/** A column of times. One that no screen hides has its name on cards. */
export function timeColumn<Field extends string>(
  name: string,
  field: Field,
  hidden?: string,
  sort?: Sort,
) {
  const cell = (row: Record<Field, number | null>) => <Time unix={row[field]} />;
  const place = hidden === undefined ? { isLabelled: () => true } : { hidden };
  return { name, cell, ...place, ...(sort && { sort }) };
}

/** A column of buttons, but for the cells. */
export const ACTIONS = {
  name: "Actions",
  head: <span className="sr-only">Actions</span>,
  look: "text-right",
};

function headOf<Row>(columns: readonly (Column<Row> | false)[]) {
  const headings = columns.map(
    (column) =>
      column && (
        <th
          key={column.name}
          scope="col"
          className={column.hidden}
          aria-sort={column.sort?.isOn ? column.sort.direction : undefined}
        >
          <Head column={column} />
        </th>
      ),
  );
  return <tr>{headings}</tr>;
}

function Head({ column: { name, head = name, sort } }: { column: Omit<Column<never>, "cell"> }) {
  if (!sort) return head;
  const arrow = sort.isOn && (
    <span aria-hidden="true">{sort.direction === "descending" ? " ↓" : " ↑"}</span>
  );
  if (sort.isOn || sort.href === undefined) {
    return (
      <span className={sort.isOn ? "text-ink" : ""}>
        {head}
        {arrow}
      </span>
    );
  }
  return (
    <Link href={sort.href} scroll={false} title={`Sort by ${name}`} className="hover:text-ink">
      {head}
    </Link>
  );
}

function rowOf<Row extends { id: string }>(
  row: Row,
  { columns, openId, attributes }: Omit<TableProps<Row>, "rows">,
) {
  const isOpen = row.id === openId;
  return (
    <tr key={row.id} aria-current={isOpen ? "true" : undefined} {...attributes?.(row)}>
      {columns.map((column) => column && cellOf(row, column))}
    </tr>
  );
}

function cellOf<Row>(row: Row, { name, cell, look = QUIET, hidden, isLabelled }: Column<Row>) {
  const label = isLabelled?.(row) ? name : undefined;
  const classes = [typeof look === "string" ? look : look(row), hidden].filter(Boolean).join(" ");
  return (
    <td key={name} data-label={label} className={classes || undefined}>
      {cell(row)}
    </td>
  );
}
