import './meter.css';

/** Shows how much of a quota is used. `text` says it in words; the bar only illustrates it. */
export function Meter({
  label,
  value,
  max,
  text,
  warning = false,
}: {
  readonly label: string;
  readonly value: number;
  /** Null without a limit: then no bar is shown, because it would always be full or empty. */
  readonly max: number | null;
  readonly text: string;
  readonly warning?: boolean;
}) {
  const limit = max ?? Math.max(1, value);
  const share = limit === 0 ? 1 : Math.min(1, value / limit);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers style <meter> in their own colours
    <div
      className="ui-meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(value, limit)}
      aria-valuetext={text}
      data-warning={warning ? true : undefined}
    >
      <span className="ui-meter-text">{text}</span>
      {max === null ? null : (
        <span className="ui-meter-track">
          <span className="ui-meter-bar" style={{ inlineSize: `${share * 100}%` }} />
        </span>
      )}
    </div>
  );
}
