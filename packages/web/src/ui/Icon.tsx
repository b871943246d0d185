import {
  Activity,
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Bold,
  Bot,
  CalendarDays,
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Code,
  Copy,
  Download,
  Ellipsis,
  FileCode,
  FileDiff,
  FilePlus,
  FileSpreadsheet,
  FileText,
  FileWarning,
  Folder,
  FolderOpen,
  FolderPlus,
  FolderUp,
  Heading,
  History,
  Image as ImageIcon,
  Info,
  Italic,
  Keyboard,
  KeyRound,
  Link as LinkIcon,
  List,
  ListTodo,
  Lock,
  LogOut,
  type LucideIcon,
  Menu as MenuIcon,
  MessageSquare,
  MonitorSmartphone,
  PanelLeft,
  Pencil,
  Plus,
  Quote,
  RotateCw,
  Search,
  Settings,
  Share2,
  Smile,
  Strikethrough,
  Trash2,
  Undo2,
  Upload,
  UserRound,
  WifiOff,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';

const icons = {
  activity: Activity,
  agent: Bot,
  'arrow-down': ArrowDown,
  'arrow-left': ArrowLeft,
  'arrow-right': ArrowRight,
  'arrow-up': ArrowUp,
  calendar: CalendarDays,
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  close: X,
  comments: MessageSquare,
  conflict: FileDiff,
  copy: Copy,
  device: MonitorSmartphone,
  download: Download,
  edit: Pencil,
  failure: CircleAlert,
  file: FileText,
  'file-code': FileCode,
  'file-picture': ImageIcon,
  'file-table': FileSpreadsheet,
  'file-plus': FilePlus,
  'file-warning': FileWarning,
  folder: Folder,
  'folder-open': FolderOpen,
  'folder-plus': FolderPlus,
  'folder-up': FolderUp,
  history: History,
  info: Info,
  key: KeyRound,
  keyboard: Keyboard,
  link: LinkIcon,
  menu: MenuIcon,
  more: Ellipsis,
  navigation: PanelLeft,
  offline: WifiOff,
  person: UserRound,
  plus: Plus,
  private: Lock,
  retry: RotateCw,
  search: Search,
  settings: Settings,
  share: Share2,
  'sign-out': LogOut,
  smile: Smile,
  trash: Trash2,
  undo: Undo2,
  upload: Upload,
  'zoom-in': ZoomIn,
  'zoom-out': ZoomOut,
  bold: Bold,
  italic: Italic,
  strikethrough: Strikethrough,
  code: Code,
  heading: Heading,
  list: List,
  'task-list': ListTodo,
  quote: Quote,
} satisfies Record<string, LucideIcon>;

/** Icons of controls. Users choose icons for files and folders from another, larger set. */
export type IconName = keyof typeof icons;

/** The plain icon of a file, by its extension. */
export function fileIcon(name: string): IconName {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (/^(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)$/.test(extension)) return 'file-picture';
  if (/^(?:csv|tsv|xlsx?|ods)$/.test(extension)) return 'file-table';
  if (
    /^(?:html?|css|[cm]?[jt]sx?|json|ya?ml|toml|xml|sh|py|rs|go|java|rb|php|c|h|cpp|sql)$/.test(extension)
  ) {
    return 'file-code';
  }
  return 'file';
}

/** The icon of an actor: an agent, a key or a person. */
export function whoIcon(kind: 'person' | 'agent' | 'key' | 'former' | 'unknown'): IconName {
  return kind === 'agent' || kind === 'key' ? kind : 'person';
}

/** An icon next to a word or in a named control: never announced on its own. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  const Drawing = icons[name];
  return <Drawing className="ui-icon" size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" />;
}
