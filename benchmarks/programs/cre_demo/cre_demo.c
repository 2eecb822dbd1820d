// CRE Demo: travellers at an airport buy and use access to the wireless network.
// Models:     the Java prototype of the may-happen-before paper: components for addresses, tickets, frequent flyers, bank
//             cards and accounts behind one gate, and a simulator with a thread for each client. Each component is a
//             monitor of its own; a component never calls another one under its lock.
// Threads:    main, CLIENTS clients (2 in the paper).
// Size:       1,300 lines in Java.
// Parameters: CLIENTS, VISITS (of each client), ADDRESSES (in the pool), LEASE (visits that a token pays for).
// Scaled:     -DCLIENTS=3 -DVISITS=2 -DADDRESSES=3
// State:      clear
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef VISITS
#define VISITS 1
#endif
#ifndef ADDRESSES
#define ADDRESSES CLIENTS
#endif
#ifndef LEASE
#define LEASE 1
#endif
#define PRICE 25
#define BALANCE 100
#define FREE_ADDRESS (-1)

enum Proof { kTicket, kFrequentFlyer, kCard };
enum Answer { kGranted, kNoAddress, kNotValid, kNotPaid };

// ---- Addresses: a pool of leases, and the rules of the firewall -----------------------------------------------------

struct AddressManager {
  pthread_mutex_t lock;
  int holder[ADDRESSES];
  int leased;
};

struct Firewall {
  pthread_mutex_t lock;
  int open[ADDRESSES];
  int changes;
};

static struct AddressManager addresses = {PTHREAD_MUTEX_INITIALIZER, {0}, 0};
static struct Firewall firewall = {PTHREAD_MUTEX_INITIALIZER, {0}, 0};

static void init_addresses(struct AddressManager* manager) {
  for (int i = 0; i < ADDRESSES; i++) manager->holder[i] = FREE_ADDRESS;
}

// The number of an address, or FREE_ADDRESS if all are leased.
static int lease_address(struct AddressManager* manager, int client) {
  int found = FREE_ADDRESS;
  pthread_mutex_lock(&manager->lock);
  for (int i = 0; i < ADDRESSES && found == FREE_ADDRESS; i++) {
    if (manager->holder[i] == FREE_ADDRESS) found = i;
  }
  if (found != FREE_ADDRESS) {
    manager->holder[found] = client;
    manager->leased++;
  }
  pthread_mutex_unlock(&manager->lock);
  return found;
}

static void return_address(struct AddressManager* manager, int address, int client) {
  pthread_mutex_lock(&manager->lock);
  assert(manager->holder[address] == client);
  manager->holder[address] = FREE_ADDRESS;
  manager->leased--;
  pthread_mutex_unlock(&manager->lock);
}

static void open_port(struct Firewall* wall, int address) {
  pthread_mutex_lock(&wall->lock);
  assert(!wall->open[address]);
  wall->open[address] = 1;
  wall->changes++;
  pthread_mutex_unlock(&wall->lock);
}

static void close_port(struct Firewall* wall, int address) {
  pthread_mutex_lock(&wall->lock);
  assert(wall->open[address]);
  wall->open[address] = 0;
  wall->changes++;
  pthread_mutex_unlock(&wall->lock);
}

// ---- Authentication: tickets, frequent flyers, bank cards -----------------------------------------------------------

struct Ticket {
  int number;
  int flight;
  int first_class;
};

struct TicketDatabase {
  pthread_mutex_t lock;
  struct Ticket tickets[CLIENTS];
  int queries;
};

struct Account {
  int balance;
  int bookings;
};

struct Bank {
  pthread_mutex_t lock;
  struct Account accounts[CLIENTS];
  int earned;
};

struct FlyerClub {
  pthread_mutex_t lock;
  int miles[CLIENTS];
};

static struct TicketDatabase tickets = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct Bank bank = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct FlyerClub club = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void init_databases(void) {
  for (int i = 0; i < CLIENTS; i++) {
    tickets.tickets[i].number = 1000 + i;
    tickets.tickets[i].flight = 40 + i % 2;
    tickets.tickets[i].first_class = i % 3 == 0;
    bank.accounts[i].balance = BALANCE;
    club.miles[i] = 10 * i;
  }
}

static int is_valid_ticket(struct TicketDatabase* database, int number) {
  int valid = 0;
  pthread_mutex_lock(&database->lock);
  database->queries++;
  for (int i = 0; i < CLIENTS; i++) {
    if (database->tickets[i].number == number) valid = 1 + database->tickets[i].first_class;
  }
  pthread_mutex_unlock(&database->lock);
  return valid;
}

// A member pays with miles; the miles of one visit are 5.
static int take_miles(struct FlyerClub* flyers, int member) {
  pthread_mutex_lock(&flyers->lock);
  int enough = flyers->miles[member] >= 5;
  if (enough) flyers->miles[member] -= 5;
  pthread_mutex_unlock(&flyers->lock);
  return enough;
}

static int pay_by_card(struct Bank* center, int card, int amount) {
  struct Account* account = &center->accounts[card];
  pthread_mutex_lock(&center->lock);
  int paid = account->balance >= amount;
  if (paid) {
    account->balance -= amount;
    account->bookings++;
    center->earned += amount;
  }
  pthread_mutex_unlock(&center->lock);
  return paid;
}

// ---- Tokens: what lets a client through ----------------------------------------------------------------------------

struct Token {
  int client;
  int address;
  int visits_left;
  struct Token* next;
};

struct TokenStore {
  pthread_mutex_t lock;
  struct Token* valid;
  int issued;
  int expired;
};

static struct TokenStore store = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

static struct Token* issue_token(struct TokenStore* tokens, int client, int address, int visits) {
  struct Token* token = malloc(sizeof *token);
  if (!token) abort();
  token->client = client;
  token->address = address;
  token->visits_left = visits;
  pthread_mutex_lock(&tokens->lock);
  token->next = tokens->valid;
  tokens->valid = token;
  tokens->issued++;
  pthread_mutex_unlock(&tokens->lock);
  return token;
}

// Uses one visit of the client's token. Returns whether there is such a token.
static int use_token(struct TokenStore* tokens, int client) {
  int used = 0;
  pthread_mutex_lock(&tokens->lock);
  for (struct Token* token = tokens->valid; token && !used; token = token->next) {
    if (token->client != client || token->visits_left == 0) continue;
    token->visits_left--;
    used = 1;
  }
  pthread_mutex_unlock(&tokens->lock);
  return used;
}

// Takes the client's token out of the store; the caller owns it.
static struct Token* take_token(struct TokenStore* tokens, int client) {
  pthread_mutex_lock(&tokens->lock);
  struct Token** place = &tokens->valid;
  while (*place && (*place)->client != client) place = &(*place)->next;
  struct Token* token = *place;
  if (token) {
    *place = token->next;
    tokens->expired++;
  }
  pthread_mutex_unlock(&tokens->lock);
  return token;
}

// ---- The gate: what a client calls ---------------------------------------------------------------------------------

struct Statistics {
  pthread_mutex_t lock;
  int granted;
  int refused;
};

static struct Statistics statistics = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void count_answer(enum Answer answer) {
  pthread_mutex_lock(&statistics.lock);
  if (answer == kGranted) {
    statistics.granted++;
  } else {
    statistics.refused++;
  }
  pthread_mutex_unlock(&statistics.lock);
}

static enum Answer prove(int client, enum Proof proof) {
  switch (proof) {
    case kTicket:
      return is_valid_ticket(&tickets, 1000 + client) ? kGranted : kNotValid;
    case kFrequentFlyer:
      return take_miles(&club, client) ? kGranted : kNotPaid;
    case kCard:
      return pay_by_card(&bank, client, PRICE) ? kGranted : kNotPaid;
  }
  return kNotValid;
}

static enum Answer log_in(int client, enum Proof proof) {
  int address = lease_address(&addresses, client);
  if (address == FREE_ADDRESS) return kNoAddress;
  enum Answer answer = prove(client, proof);
  if (answer != kGranted) {
    return_address(&addresses, address, client);
    return answer;
  }
  issue_token(&store, client, address, LEASE);
  open_port(&firewall, address);
  return kGranted;
}

static void log_out(int client) {
  struct Token* token = take_token(&store, client);
  assert(token);
  close_port(&firewall, token->address);
  return_address(&addresses, token->address, client);
  free(token);
}

// ---- The simulator -------------------------------------------------------------------------------------------------

struct Client {
  int number;
  int surfed;
  int sent_away;
};

static struct Client clients[CLIENTS];

static void* simulate(void* argument) {
  struct Client* client = argument;
  for (int visit = 0; visit < VISITS; visit++) {
    enum Answer answer = log_in(client->number, (enum Proof)((client->number + visit + 2) % 3));
    count_answer(answer);
    if (answer != kGranted) {
      client->sent_away++;
      continue;
    }
    while (use_token(&store, client->number)) client->surfed++;
    log_out(client->number);
  }
  return 0;
}

int main(void) {
  pthread_t threads[CLIENTS];
  int surfed = 0, sent_away = 0, paid = 0;
  init_addresses(&addresses);
  init_databases();
  for (int i = 0; i < CLIENTS; i++) {
    clients[i].number = i;
    pthread_create(&threads[i], 0, simulate, &clients[i]);
  }
  for (int i = 0; i < CLIENTS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < CLIENTS; i++) {
    surfed += clients[i].surfed;
    sent_away += clients[i].sent_away;
    paid += BALANCE - bank.accounts[i].balance;
  }
  assert(statistics.granted * LEASE == surfed && statistics.refused == sent_away);
  assert(bank.earned == paid && addresses.leased == 0);
  assert(store.issued == store.expired && store.valid == 0);
  assert(firewall.changes == 2 * statistics.granted);
  return 0;
}
