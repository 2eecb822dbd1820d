/* One thread publishes while another sends what is queued; nobody answers. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mqtt.h>

static struct mqtt_client client;
static uint8_t to_send[512], received[512];

static void arrived(void **state, struct mqtt_response_publish *message) {
  (void)state;
  (void)message;
}

static void *refresh(void *unused) {
  mqtt_sync(&client);
  return unused;
}

int main(void) {
  int ends[2];
  pthread_t refresher;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
  mqtt_init(&client, ends[0], to_send, sizeof to_send, received, sizeof received, arrived);
  mqtt_connect(&client, "one", 0, 0, 0, 0, 0, MQTT_CONNECT_CLEAN_SESSION, 400);
  pthread_create(&refresher, 0, refresh, 0);
  mqtt_publish(&client, "topic", "text", 4, MQTT_PUBLISH_QOS_0);
  pthread_join(refresher, 0);
  close(ends[0]);
  close(ends[1]);
  return 0;
}
