import './meter.css';

/** How much of something is used. `text` says it in words; the bar only shows it. */
export function Meter({
  label,
  value,
  max,
  text,
  warning = false,
}: {
  readonly label: string;
  readonly value: number;
  /** Null where nothing limits it: then no bar is drawn, which would be full or empty and mean nothing. */
  readonly max: number | null;
  readonly text: string;
  readonly warning?: boolean;
}) {
  const limit = max ?? Math.max(1, value);
  const share = limit === 0 ? 1 : Math.min(1, value / limit);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in colours of their own
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
