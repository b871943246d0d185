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
  readonly max: number;
  readonly text: string;
  readonly warning?: boolean;
}) {
  const share = max === 0 ? 1 : Math.min(1, value / max);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in colours of their own
    <div
      className="ui-meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
      data-warning={warning ? true : undefined}
    >
      <span className="ui-meter-text">{text}</span>
      <span className="ui-meter-track">
        <span className="ui-meter-bar" style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </div>
  );
}
