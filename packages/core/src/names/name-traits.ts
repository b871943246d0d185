/** Treatment of names by a disk, as probed once in a folder. */
export interface NameTraits {
  /** Two names that differ only in case are one file. */
  readonly foldsCase: boolean;
  /**
   * `kept`: NFC and NFD are two files. `folded`: they are one, spelled as created. `changed`: they are one, spelled
   * NFD.
   */
  readonly unicodeForm: 'kept' | 'folded' | 'changed';
  /** `windows`: rejects names with `\ / : * ? " < > |`, with a dot or space at the end, and of devices. */
  readonly forbids: 'nothing' | 'windows';
}
