/* The numbers of the recording format: docs/recording-format.md says what they mean. Writer and reader share them. */
#pragma once

#define JM_MAGIC "\x8aJML\r\n\x1a\n" /* a transfer as text damages it visibly */

enum {
	JM_MAGIC_LEN = 8,
	JM_HEAD_LEN = 12, /* magic, major, minor */
	JM_FORMAT_MAJOR = 1,
	JM_FORMAT_MINOR = 0,
	JM_FRAME_HEAD = 5,     /* length, type */
	JM_FRAME_OVERHEAD = 9, /* head and checksum */
};

/* Bounds that a reader checks before it takes memory. */
enum {
	JM_FRAME_MAX = 16 << 20,   /* bytes of payload */
	JM_STRING_MAX = 1 << 20,   /* bytes of one string */
	JM_STRINGS_MAX = 64 << 20, /* bytes of all strings that have an id at one time */
	JM_STRING_IDS = 1 << 16,
	JM_COLUMNS_MAX = 4096,
	JM_NAME_MAX = 256,        /* bytes of a name in the dictionary */
	JM_LIVE_MAX = 1 << 20,    /* subjects alive at one time */
	JM_VALUES_MAX = 32 << 20, /* last values kept, of all subjects alive */
	/* of one sample; a frame that begins below them is still taken */
	JM_EVENTS_MAX = 4 << 20,
	JM_FIGURES_MAX = 16 << 20, /* that come with its events */
	JM_TEXTS_MAX = 64 << 20,   /* bytes of texts and values of its events */
	JM_SCALE_MAX = 1000000000,
	JM_KEY_EVERY = 256, /* ticks */
};

enum jm_frame_type {
	JM_FRAME_SCHEMA = 1,
	JM_FRAME_STRING,
	JM_FRAME_SUBJECT_START,
	JM_FRAME_SUBJECT_END,
	JM_FRAME_TICK,
	JM_FRAME_MARK,
	JM_FRAME_EVENT,
	JM_FRAME_RUN,
	JM_FRAME_KEY,
	JM_FRAME_SUMMARY,
	JM_FRAME_CORRECTION,
};

enum { JM_SCHEMA_WHOLE = 1 << 0 };                      /* flags of a schema frame: every column so far */
enum { JM_START_RESTATED = 1 << 0 };                    /* flags of a subject start frame: not an event */
enum { JM_TICK_FINAL = 1 << 0, JM_TICK_WALL = 1 << 1 }; /* flags of tick and key frames */

/* Low two bits of a row's head. */
enum jm_row_code {
	JM_CODE_UNCHANGED, /* tick: with a count of further ones; key: as a fresh row, restated */
	JM_CODE_FRESH,     /* the columns of the last fresh row */
	JM_CODE_FRESH_NEW, /* a presence bitmap says which columns */
	JM_CODE_UNREADABLE,
};
